import { hlsOutput, objectKeys, type QualityLevel, qualityLevels, type TranscodeJob } from '@atrium/contract'
import type { AudioDescription, CreateJobRequest, Input, Output } from '@aws-sdk/client-mediaconvert'

export interface JobPlace {
  bucket: string
  /** ARN of the role with which MediaConvert reads and writes the bucket. */
  role: string
}

const selector = 'Audio Selector 1'

/** The job as MediaConvert takes it. */
export const jobRequest = (job: TranscodeJob, { bucket, role }: JobPlace): CreateJobRequest => ({
  Role: role,
  ClientRequestToken: job.requestToken,
  UserMetadata: { videoId: job.videoId },
  StatusUpdateInterval: 'SECONDS_10',
  Settings: {
    TimecodeConfig: { Source: 'ZEROBASED' },
    Inputs: [inputOf(job, bucket)],
    OutputGroups: [
      {
        Name: 'HLS',
        OutputGroupSettings: {
          Type: 'HLS_GROUP_SETTINGS',
          HlsGroupSettings: {
            Destination: `s3://${bucket}/${objectKeys.manifest(job.videoId).replace(/[.]m3u8$/, '')}`,
            SegmentLength: hlsOutput.segmentSeconds,
            SegmentLengthControl: 'EXACT',
            MinSegmentLength: 0,
            SegmentControl: 'SEGMENTED_FILES',
            SegmentsPerSubdirectory: hlsOutput.segmentsPerSubdirectory,
          },
        },
        Outputs: qualityLevels.filter(({ name }) => job.levels.includes(name)).map(outputOf),
      },
    ],
  },
})

const inputOf = ({ storageKey, source }: TranscodeJob, bucket: string): Input => ({
  FileInput: `s3://${bucket}/${storageKey}`,
  TimecodeSource: 'ZEROBASED',
  VideoSelector: { Rotate: 'AUTO' },
  // Without a selector, outputs that ask for one get silence, so that all videos have the same tracks.
  ...(source.hasAudio && { AudioSelectors: { [selector]: { DefaultSelection: 'DEFAULT' } } }),
})

const outputOf = ({ name, width, height, bitsPerSecond }: QualityLevel): Output => ({
  NameModifier: `_${name}`,
  ContainerSettings: { Container: 'M3U8', M3u8Settings: {} },
  VideoDescription: {
    Width: width,
    Height: height,
    // Keeps the aspect ratio and pads.
    ScalingBehavior: 'DEFAULT',
    CodecSettings: {
      Codec: 'H_264',
      H264Settings: {
        CodecProfile: 'MAIN',
        CodecLevel: 'AUTO',
        RateControlMode: 'CBR',
        Bitrate: bitsPerSecond,
        HrdBufferSize: 2 * bitsPerSecond,
        InterlaceMode: 'PROGRESSIVE',
        FramerateControl: 'INITIALIZE_FROM_SOURCE',
        GopSizeUnits: 'AUTO',
        ParControl: 'SPECIFIED',
        ParNumerator: 1,
        ParDenominator: 1,
      },
    },
  },
  AudioDescriptions: [audio],
})

const audio: AudioDescription = {
  AudioSourceName: selector,
  CodecSettings: {
    Codec: 'AAC',
    AacSettings: {
      Bitrate: hlsOutput.audioBitsPerSecond,
      SampleRate: hlsOutput.audioHz,
      CodingMode: 'CODING_MODE_2_0',
      CodecProfile: 'LC',
      RateControlMode: 'CBR',
    },
  },
}

import { type Source, type Transcoder, UnusableSource } from '@atrium/contract'
import {
  BadRequestException,
  CancelJobCommand,
  ConflictException,
  CreateJobCommand,
  MediaConvertClient,
  type MediaConvertClientConfig,
  NotFoundException,
  ProbeCommand,
  type ProbeResult,
  UnprocessableEntityException,
  type VideoProperties,
} from '@aws-sdk/client-mediaconvert'
import { type JobPlace, jobRequest } from './job.ts'

export interface MediaConvertConfig extends JobPlace {
  /** TRANSCODER_ENDPOINT; that of the region if undefined. */
  endpoint?: string | undefined
  /** The SDK finds region and credentials in the environment unless they are given. */
  client?: MediaConvertClientConfig
}

/** AWS Elemental MediaConvert. Its job events reach the callback function through EventBridge. */
export function createMediaConvert({ endpoint, client: settings, ...place }: MediaConvertConfig): Transcoder {
  const client = new MediaConvertClient({ ...settings, ...(endpoint !== undefined && { endpoint }) })
  return {
    async probe(storageKey) {
      const FileUrl = `s3://${place.bucket}/${storageKey}`
      const { ProbeResults = [] } = await client
        .send(new ProbeCommand({ InputFiles: [{ FileUrl }] }))
        .catch(asUnusable)
      return sourceOf(ProbeResults[0])
    },
    async submit(job) {
      const { Job } = await client.send(new CreateJobCommand(jobRequest(job, place))).catch(asUnusable)
      if (!Job?.Id) throw new Error('MediaConvert made a job but did not name it')
      return Job.Id
    },
    async cancel(jobId) {
      try {
        await client.send(new CancelJobCommand({ Id: jobId }))
      } catch (error) {
        // It has ended already, or was never there.
        if (!(error instanceof ConflictException || error instanceof NotFoundException)) throw error
      }
    },
  }
}

/** A request that would be refused again must not be repeated: the video would wait forever. */
function asUnusable(error: unknown): never {
  if (error instanceof UnprocessableEntityException) throw new UnusableSource(notAVideo)
  if (error instanceof BadRequestException)
    throw new UnusableSource(`MediaConvert does not accept this file: ${error.message}`)
  throw error
}

/** What MediaConvert's probe says about a file, or UnusableSource with what is wrong with it. */
export function sourceOf(result: ProbeResult | undefined): Source {
  const { Format, Duration, Tracks = [] } = result?.Container ?? {}
  if (!Format) throw new UnusableSource(notAVideo)
  const picture = Tracks.find(({ TrackType }) => TrackType === 'video')?.VideoProperties
  const hasAudio = Tracks.some(({ TrackType }) => TrackType === 'audio')
  if (!picture?.Width || !picture.Height)
    throw new UnusableSource(hasAudio ? 'This file has sound but no picture.' : notAVideo)
  return { ...displaySize(picture), durationMs: Duration ? Math.round(Duration * 1_000) : null, hasAudio }
}

const notAVideo = 'This file is not a video, or it is damaged.'

/** With square pixels, as high as stored; then turned. */
function displaySize(picture: VideoProperties): { width: number; height: number } {
  const { Width = 0, Height = 0, Rotation = 0, SampleAspectRatio, CodecMetadata } = picture
  // The container's word counts before that of the codec, as in players.
  const { Numerator = 1, Denominator = 1 } = SampleAspectRatio ?? CodecMetadata?.SampleAspectRatio ?? {}
  const width = Math.round((Width * (Numerator || 1)) / (Denominator || 1))
  return Rotation % 180 === 0 ? { width, height: Height } : { width: Height, height: width }
}

import { objectKeys } from '@atrium/contract'
import { masterName } from '../ladder/file-names.ts'
import { bandwidthOf } from './master.ts'
import { secondsOf, type Variant } from './variant.ts'

/** What was made, in the form in which MediaConvert reports it. */
export interface OutputGroup {
  type: 'HLS_GROUP'
  playlistFilePaths: string[]
  outputDetails: {
    outputFilePaths: string[]
    durationInMs: number
    videoDetails: { widthInPx: number; heightInPx: number; averageBitrate: number }
  }[]
}

export function outputGroup(bucket: string, videoId: string, variants: readonly Variant[]): OutputGroup {
  const path = (name: string) => `s3://${bucket}/${objectKeys.hlsPrefix(videoId)}${name}`
  return {
    type: 'HLS_GROUP',
    playlistFilePaths: [path(masterName)],
    outputDetails: variants.map((variant) => ({
      outputFilePaths: [path(variant.playlist)],
      durationInMs: Math.round(secondsOf(variant) * 1000),
      videoDetails: {
        widthInPx: variant.level.width,
        heightInPx: variant.level.height,
        averageBitrate: bandwidthOf(variant.segments, variant.targetSeconds).average,
      },
    })),
  }
}

import type { ProbedVideo } from './probed-video.ts'

export const longerThanPromised =
  'This video is longer than its header says. It is probably damaged. Please export the video again and upload it.'

export const incomplete =
  'This file is incomplete: a part of it is missing, as happens when a recording or a copy is cut off. Please export the video again and upload it.'

/** The headers of these say how long the video is. Of the others it would be an estimate, and their length is measured. */
export const saysLength = ({ container }: Pick<ProbedVideo, 'container'>): boolean =>
  /^(mov|matroska|avi|asf)/.test(container)

/** Headers round; more than this beyond their length is not part of the video. */
const slackMs = 10_000
const toleratedMs = 2_000
const toleratedShare = 0.05

/** The length of the picture, by the header. */
export const promisedMs = ({ durationMs, video }: ProbedVideo): number =>
  Math.min(durationMs, video.durationMs ?? durationMs)

/** Whether so much is missing at the end that it cannot be a rounding of the header. */
export const isTruncated = (probed: ProbedVideo, foundMs: number): boolean =>
  saysLength(probed) &&
  promisedMs(probed) - foundMs > Math.max(toleratedMs, promisedMs(probed) * toleratedShare)

/** Where the output of a video ends at the latest, so that a broken time stamp does not make it endless. */
export const latestEndMs = ({ durationMs }: Pick<ProbedVideo, 'durationMs'>): number => durationMs + slackMs

/** Whether the output was cut there: better no video than one whose end is missing. */
export const isCut = (probed: ProbedVideo, foundMs: number): boolean =>
  foundMs >= latestEndMs(probed) - slackMs / 10

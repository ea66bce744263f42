import type { Film } from './film.ts'

export const incomplete =
  'This file is incomplete: a part of it is missing, as happens when a recording or a copy is cut off. Please export the film again and upload it.'

/** Headers of these say how long the film is; of the others it is an estimate. */
const withLength = /^(mov|matroska|avi|asf)/
const toleratedMs = 2_000
const toleratedShare = 0.05

/** The length of the picture, by the header. */
export const promisedMs = ({ durationMs, video }: Film): number =>
  Math.min(durationMs, video.durationMs ?? durationMs)

/** Whether so much is missing at the end that it cannot be a rounding of the header. */
export const isTruncated = (film: Film, foundMs: number): boolean =>
  withLength.test(film.container) &&
  promisedMs(film) - foundMs > Math.max(toleratedMs, promisedMs(film) * toleratedShare)

import type { Film } from './film.ts'

export const longerThanPromised =
  'This film is longer than its header says. It is probably damaged. Please export the film again and upload it.'

export const incomplete =
  'This file is incomplete: a part of it is missing, as happens when a recording or a copy is cut off. Please export the film again and upload it.'

/** The headers of these say how long the film is. Of the others it would be an estimate, and their length is measured. */
export const saysLength = ({ container }: Pick<Film, 'container'>): boolean =>
  /^(mov|matroska|avi|asf)/.test(container)

/** Headers round; more than this beyond their length is not part of the film. */
const slackMs = 10_000
const toleratedMs = 2_000
const toleratedShare = 0.05

/** The length of the picture, by the header. */
export const promisedMs = ({ durationMs, video }: Film): number =>
  Math.min(durationMs, video.durationMs ?? durationMs)

/** Whether so much is missing at the end that it cannot be a rounding of the header. */
export const isTruncated = (film: Film, foundMs: number): boolean =>
  saysLength(film) && promisedMs(film) - foundMs > Math.max(toleratedMs, promisedMs(film) * toleratedShare)

/** Where the output of a film ends at the latest, so that a broken time stamp does not make it endless. */
export const latestEndMs = ({ durationMs }: Pick<Film, 'durationMs'>): number => durationMs + slackMs

/** Whether the output was cut there: better no film than one whose end is missing. */
export const isCut = (film: Film, foundMs: number): boolean => foundMs >= latestEndMs(film) - slackMs / 10

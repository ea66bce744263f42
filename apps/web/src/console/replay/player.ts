import type { RoomMoment } from '@atrium/contract'

/** Nothing changes between two moments, so nobody has to wait longer than this for the next one. */
const longestWaitMs = 2_000

type Timed = Pick<RoomMoment, 'number' | 'at'>

/** The index of the moment with this number, or of the last one before it. */
export const indexOfNumber = (moments: readonly Timed[], number: number): number =>
  Math.max(
    0,
    moments.findLastIndex((moment) => moment.number <= number),
  )

/** The index of the last moment up to a time. */
export const indexAt = (moments: readonly Timed[], at: number): number =>
  Math.max(
    0,
    moments.findLastIndex((moment) => moment.at <= at),
  )

/** How long to show a moment before the next one; null for the last. */
export function waitAfter(moments: readonly Timed[], index: number, speed: number): number | null {
  const [now, next] = [moments[index], moments[index + 1]]
  return now && next ? Math.min(longestWaitMs, Math.max(0, next.at - now.at) / speed) : null
}

/** “4:07”: the time since the beginning, which all moments show alike. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000)
  const pad = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const end = pad(seconds % 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`
}

/** The part of a long list that is shown around the current entry. */
export function windowAround(length: number, index: number, max: number): { from: number; to: number } {
  const from = Math.min(Math.max(0, index - Math.floor(max / 2)), Math.max(0, length - max))
  return { from, to: Math.min(length, from + max) }
}

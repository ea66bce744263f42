import { pageLocale, texts } from '../../../text/participant.ts'

/** A clock: 1:05, or 1:02:05 from one hour up. Time left is rounded up, so that 0:00 means over. */
export function clockFace(ms: number, direction: 'down' | 'up'): string {
  const exact = Math.max(0, ms) / 1_000
  const seconds = direction === 'down' ? Math.ceil(exact) : Math.floor(exact)
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${twoDigits(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

const announcedSeconds = [300, 60, 30, 10]
/** Long enough for a page whose timers are slowed down to show it, short enough to be true. */
const announcedForSeconds = 5

/**
 * Announced to screen readers at these times only: a clock that speaks every second is unbearable. Somebody who arrives,
 * or comes back, between two of them hears once how much is left then; `arrivedWithMs` is that.
 */
export function announcementOf(leftMs: number, arrivedWithMs: number): string {
  const left = Math.ceil(leftMs / 1_000)
  const onArrival = Math.ceil(arrivedWithMs / 1_000)
  if (left <= 0) return ''
  // Not with the first picture of the page, because what is there from the start is not announced.
  if (leftMs < arrivedWithMs && left > onArrival - announcedForSeconds) return remaining(nearFive(onArrival))
  const reached = announcedSeconds.find((seconds) => left <= seconds && left > seconds - announcedForSeconds)
  return reached === undefined ? '' : remaining(reached)
}

/** Nobody needs “2 minutes, 59 seconds”. */
const nearFive = (seconds: number): number => (seconds < 60 ? seconds : Math.round(seconds / 5) * 5)

const remaining = (seconds: number): string => texts().frame.remaining(durationInWords(seconds))

/** “3 minutes, 20 seconds”, in the language of the page. */
export function durationInWords(seconds: number): string {
  const locale = pageLocale()
  const parts = [
    { unit: 'hour', count: Math.floor(seconds / 3_600) },
    { unit: 'minute', count: Math.floor((seconds % 3_600) / 60) },
    { unit: 'second', count: Math.round(seconds % 60) },
  ].filter(({ count }) => count > 0)
  const words = parts.map(({ unit, count }) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return new Intl.ListFormat(locale, { type: 'unit' }).format(words)
}

import { texts } from '../../../text/participant.ts'
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
 * Announced to screen readers only when one of these times is reached: a clock that speaks every second is unbearable,
 * and a page that is opened in between would say the wrong time.
 */
export function announcementOf(leftMs: number): string {
  const left = Math.ceil(leftMs / 1_000)
  const reached = announcedSeconds.find((seconds) => left <= seconds && left > seconds - announcedForSeconds)
  if (reached === undefined) return ''
  const { minutesLeft, secondsLeft } = texts().views.clock
  return reached >= 60 ? minutesLeft(reached / 60) : secondsLeft(reached)
}

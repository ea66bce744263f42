import { locale } from './locale.ts'

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const clockTime = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
const dayTime = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const steps = [
  { unit: 'day', ms: day },
  { unit: 'hour', ms: hour },
  { unit: 'minute', ms: minute },
] as const

/** “3 minutes ago”. A clock that is a little ahead of ours is now, not the future. */
export function formatAgo(at: number, now: number): string {
  const passed = Math.max(0, now - at)
  for (const { unit, ms } of steps) {
    if (passed >= ms) return relative.format(-Math.floor(passed / ms), unit)
  }
  return passed < 5 * second ? 'just now' : relative.format(-Math.floor(passed / second), 'second')
}

/** “1 h 05 min”, “2 min 30 s”, “4.2 s”: two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 10 * second) return `${Number((ms / second).toFixed(1))} s`
  // Rounded first, so that 59.9 s is a minute and not “60 s”.
  const whole = Math.round(ms / second) * second
  if (whole < minute) return `${whole / second} s`
  if (whole < hour) return twoUnits(whole, minute, 'min', second, 's')
  return twoUnits(Math.round(whole / minute) * minute, hour, 'h', minute, 'min')
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small)
  const head = `${Math.floor(ms / large)} ${largeName}`
  return rest === 0 ? head : `${head} ${String(rest).padStart(2, '0')} ${smallName}`
}

export const formatDateTime = (at: number): string => dateTime.format(at)
export const formatClock = (at: number): string => clockTime.format(at)
/** With the date where a plot spans more than a day. */
export const formatMoment = (at: number, spanMs: number): string =>
  (spanMs > day ? dayTime : clockTime).format(at)

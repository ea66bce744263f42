/** Words that go with numbers and times, in the language of the formats. */
interface FormatWords {
  none: string
  justNow: string
  /** From bytes to terabytes. */
  byteUnits: readonly [string, string, string, string, string]
  hours: string
  minutes: string
  seconds: string
  milliseconds: string
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const agoSteps = [
  { unit: 'day', ms: day },
  { unit: 'hour', ms: hour },
  { unit: 'minute', ms: minute },
] as const

/** Numbers, dates and durations, in the language of the words around them. */
export function createFormats(locale: string, words: FormatWords) {
  const plain = new Intl.NumberFormat(locale)
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const cents = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const clockTime = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const dayOnly = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const dayTime = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })

  function bytes(count: number): string {
    const power = count < 1_000 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), words.byteUnits.length - 1)
    return `${oneDigit.format(count / 1_000 ** power)} ${words.byteUnits[power]}`
  }

  /** “3 minutes ago”. A server clock slightly ahead of ours means now, not the future. */
  function ago(at: number, now: number): string {
    const passed = Math.max(0, now - at)
    for (const { unit, ms } of agoSteps) {
      if (passed >= ms) return relative.format(-Math.floor(passed / ms), unit)
    }
    return passed < 5 * second ? words.justNow : relative.format(-Math.floor(passed / second), 'second')
  }

  /** “1 h 05 min”, “2 min 30 s”, “4.2 s”: two units at most. */
  function duration(ms: number): string {
    if (ms < 10 * second) return `${Number((ms / second).toFixed(1))} ${words.seconds}`
    // Rounded first, so that 59.9 s is a minute and not “60 s”.
    const whole = Math.round(ms / second) * second
    if (whole < minute) return `${whole / second} ${words.seconds}`
    if (whole < hour) return twoUnits(whole, [minute, words.minutes], [second, words.seconds])
    return twoUnits(Math.round(whole / minute) * minute, [hour, words.hours], [minute, words.minutes])
  }

  /** “420 ms”, “2.3 s”: how long a machine took. */
  const latency = (ms: number): string =>
    ms < second ? `${plain.format(Math.round(ms))} ${words.milliseconds}` : duration(ms)

  return {
    number: (value: number) => plain.format(value),
    /** For the axes of charts, where there is little room. */
    shortNumber: (value: number) => short.format(value),
    share: (part: number, whole: number) => (whole === 0 ? words.none : share.format(part / whole)),
    bytes,
    ago,
    duration,
    latency,
    /** Without its currency, which only the researcher knows. Small amounts keep two digits that say something. */
    money: (amount: number) => (amount === 0 || amount >= 1 ? cents : small).format(amount),
    dateTime: (at: number) => dateTime.format(at),
    clock: (at: number) => clockTime.format(at),
    /** The day that begins at this moment in UTC. */
    dayInUtc: (at: number) => dayOnly.format(at),
    /** With the date where a chart spans more than a day. */
    moment: (at: number, spanMs: number) => (spanMs > day ? dayTime : clockTime).format(at),
  }
}

type Unit = readonly [ms: number, name: string]

function twoUnits(ms: number, [largeMs, largeName]: Unit, [smallMs, smallName]: Unit): string {
  const rest = Math.floor((ms % largeMs) / smallMs)
  const head = `${Math.floor(ms / largeMs)} ${largeName}`
  return rest === 0 ? head : `${head} ${String(rest).padStart(2, '0')} ${smallName}`
}

import { pickOne, type Random, wholeBetween } from '../random.ts'

/**
 * JSON Schema has no bounds for dates, but a pattern can express them, so that models and pages know what the server
 * accepts. Dates are ISO dates: `2026-05-17`.
 */
export function patternOfDates(from: string, to: string): string {
  const [[fromYear = '', ...start], [toYear = '', ...end]] = [from.split('-'), to.split('-')]
  const within = alternatives(
    fromYear,
    toYear,
    4,
    (year, low, high) => `${year}-${monthsAndDays(low ? start : ['01', '01'], high ? end : ['12', '31'])}`,
  )
  return `^${within}$`
}

const monthsAndDays = ([fromMonth = '', fromDay = '']: string[], [toMonth = '', toDay = '']: string[]) =>
  alternatives(
    fromMonth,
    toMonth,
    2,
    (month, low, high) => `${month}-${digits(low ? fromDay : '01', high ? toDay : '31')}`,
  )

/** The first and the last part limit what comes after them; those in between do not. */
function alternatives(
  from: string,
  to: string,
  width: number,
  withRest: (part: string, isFirst: boolean, isLast: boolean) => string,
): string {
  if (from === to) return withRest(from, true, true)
  const padded = (part: number) => String(part).padStart(width, '0')
  const [after, before] = [Number(from) + 1, Number(to) - 1]
  const between = after <= before ? [withRest(digits(padded(after), padded(before)), false, false)] : []
  return `(?:${[withRest(from, true, false), ...between, withRest(to, false, true)].join('|')})`
}

/** Numbers of the same width, between these two. */
function digits(from: string, to: string): string {
  if (from === to) return from
  const [low = '', high = ''] = [from[0], to[0]]
  const [lowRest, highRest] = [from.slice(1), to.slice(1)]
  if (lowRest === '') return `[${low}-${high}]`
  if (low === high) return low + digits(lowRest, highRest)
  const [min, max] = ['0'.repeat(lowRest.length), '9'.repeat(lowRest.length)]
  const [after, before] = [Number(low) + 1, Number(high) - 1]
  return `(?:${[
    low + digits(lowRest, max),
    ...(after <= before ? [`${digits(String(after), String(before))}${'[0-9]'.repeat(lowRest.length)}`] : []),
    high + digits(min, highRest),
  ].join('|')})`
}

/** A date that matches a pattern from above. */
export function drawDate(pattern: string, random: Random): string {
  for (;;) {
    let drawn = pattern.slice(1, -1)
    // From the innermost group outwards.
    while (drawn.includes('('))
      drawn = drawn.replace(/\(\?:([^()]*)\)/g, (_, inside: string) => pickOne(inside.split('|'), random))
    const date = drawn.replace(/\[(\d)-(\d)\]/g, (_, low: string, high: string) =>
      String(wholeBetween(Number(low), Number(high), random)),
    )
    // Not every month has a 31st.
    if (isRealDate(date)) return date
  }
}

const isRealDate = (date: string): boolean => {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

const minuteMs = 60_000

/**
 * Writes epoch milliseconds as `Date#toISOString` does. The events of a session are close together, so the minute is kept
 * from one call to the next: of a line of an export, writing the time was the most expensive part.
 */
export function createIsoTime(): (ms: number) => string {
  let minute = Number.NaN
  let upToMinute = ''
  return (ms) => {
    const rest = ms % minuteMs
    // Before 1970, and what is not a time at all, which `Date` refuses.
    if (!(rest >= 0) || !Number.isInteger(ms)) return new Date(ms).toISOString()
    if (ms - rest !== minute) {
      upToMinute = new Date(ms).toISOString().slice(0, -'00.000Z'.length)
      minute = ms - rest
    }
    const seconds = Math.floor(rest / 1_000)
    const millis = rest % 1_000
    return `${upToMinute}${seconds < 10 ? '0' : ''}${seconds}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`
  }
}

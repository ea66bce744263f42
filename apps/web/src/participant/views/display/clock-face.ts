/** What a clock shows: 1:05, or 1:02:05 from an hour on. Time left is rounded up, so that 0:00 means over. */
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

/** Announced to people who cannot see the clock, but only now and then: a clock that speaks every second is unbearable. */
export function announcementOf(leftMs: number): string {
  const left = Math.ceil(leftMs / 1_000)
  const reached = announcedSeconds.filter((seconds) => left <= seconds).at(-1)
  if (reached === undefined || left <= 0) return ''
  return reached >= 60
    ? `${reached / 60} ${reached === 60 ? 'minute' : 'minutes'} left`
    : `${reached} seconds left`
}

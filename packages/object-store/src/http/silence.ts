/**
 * Calls `onSilent` unless it is stopped within `ms`. It looks twice, because timers come first: after the process was busy,
 * what has arrived meanwhile is seen only between the first look and the second.
 */
export function watchSilence(ms: number, onSilent: () => void): { stop(): void } {
  let looks = 0
  const timer = setInterval(() => {
    looks++
    if (looks < 2) return
    clearInterval(timer)
    onSilent()
  }, ms / 2)
  return { stop: () => clearInterval(timer) }
}

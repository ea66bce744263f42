import type { Clock } from '../clock.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const tickMs = 5

export type QuickClock = Clock & { readonly delaysMs: number[] }

interface Pending {
  at: number
  act: () => void
}

/**
 * Runs `speed` times as fast as real time, and remembers the delays. It advances in ticks of equal length, and only
 * while something is waiting for it: on a busy machine a tick may come late but never skips time, so a timeout cannot
 * overtake the network work that this process has to do between two ticks.
 */
export function createQuickClock(speed = 20): QuickClock {
  const delaysMs: number[] = []
  const pending = new Set<Pending>()
  let now = start
  let ticking: NodeJS.Timeout | undefined

  function tick(): void {
    now += tickMs * speed
    const due = [...pending].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)
    for (const one of due) if (pending.delete(one)) one.act()
    stopWhenIdle()
  }

  function stopWhenIdle(): void {
    if (pending.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    delaysMs,
    now: () => now,
    after(delayMs, act) {
      delaysMs.push(delayMs)
      const one = { at: now + delayMs, act }
      pending.add(one)
      ticking ??= setInterval(tick, tickMs)
      return () => {
        pending.delete(one)
        stopWhenIdle()
      }
    },
  }
}

import type { Clock } from '../clock.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const tickMs = 5

export type QuickClock = Clock & { readonly delaysMs: number[] }

interface Pending {
  at: number
  act: () => void
}

/**
 * Runs `speed` times as fast as the world, and remembers what was waited for. It goes on by ticks, and only while
 * somebody waits for it: however late a busy machine makes a tick, no more time passes by it, so what the network has to
 * do in this process between two ticks is never overtaken by a time-out.
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

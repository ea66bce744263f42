import type { Clock } from '../clock.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

export type QuickClock = Clock & { readonly delaysMs: number[] }

/** Runs `speed` times as fast as the world, and remembers what was waited for. */
export function createQuickClock(speed = 20): QuickClock {
  const began = performance.now()
  const delaysMs: number[] = []
  return {
    delaysMs,
    now: () => Math.floor(start + (performance.now() - began) * speed),
    after(delayMs, act) {
      delaysMs.push(delayMs)
      const timer = setTimeout(act, delayMs / speed)
      return () => clearTimeout(timer)
    },
  }
}

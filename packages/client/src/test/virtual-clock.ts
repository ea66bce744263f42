import type { SteadyClock } from '../sync/steady-clock.ts'

export type VirtualClock = SteadyClock & {
  /** Lets time pass, with everything that is due in it, in order. */
  advance(ms: number): Promise<void>
  /** The computer sleeps: the wall clock goes on, the monotonic one does not. */
  sleep(ms: number): void
}

/** Time for simulations: it passes only in `advance`, as fast as the machine can go. */
export function createVirtualClock(): VirtualClock {
  let now = 1_000
  let wallAheadMs = 1_800_000_000_000
  let order = 0
  let waiting: { at: number; order: number; act: () => void }[] = []

  /** Promises that are settled by one event are handled before the next one. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve()
  }

  /** Of two at the same time, the one that was asked for first. */
  const earliest = () =>
    waiting.reduce<(typeof waiting)[number] | undefined>(
      (best, one) =>
        best && (best.at < one.at || (best.at === one.at && best.order < one.order)) ? best : one,
      undefined,
    )

  return {
    now: () => now,
    wall: () => now + wallAheadMs,
    after(delayMs, act) {
      const one = { at: now + Math.max(0, delayMs), order: order++, act }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    async advance(ms) {
      const until = now + ms
      for (;;) {
        await settle()
        const first = earliest()
        if (!first || first.at > until) break
        waiting = waiting.filter((other) => other !== first)
        now = Math.max(now, first.at)
        first.act()
      }
      now = until
      await settle()
    },
    sleep(ms) {
      wallAheadMs += ms
    },
  }
}

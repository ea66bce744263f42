import type { Clock } from '../../kernel/clock.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { type DueRoom, duePerPage, type RoomStore, type Rooms } from '../rooms/index.ts'
import { heirOf } from './take-over.ts'

export interface SweepDeps {
  directory: PodDirectory
  rooms: Pick<Rooms, 'passTime'>
  store: Pick<RoomStore, 'due'>
  clock: Clock
  podId: string
  onBackgroundError(error: unknown): void
}

/** How late a deadline of a resting room may be kept; in the record it has its own time all the same. */
const lookEveryMs = 1_000
const passedAtOnce = 8
const firstRestMs = 2_000
const longestRestMs = 60_000

/** P11: keeps the deadlines of rooms at rest, each by the pod that its id falls to. Should two try, the epoch decides. */
export function createSweep({ directory, rooms, store, clock, podId, onBackgroundError }: SweepDeps) {
  const inTurn = createTurns(passedAtOnce)
  const underWay = new Set<string>()
  /** Rooms that could not be read or written: tried again, later after each failure, and no other room waits for them. */
  const failed = new Map<string, { failures: number; until: number }>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function look(): Promise<void> {
    const alive = await directory.alive()
    const heirs = [...alive].filter(([, lease]) => !lease.draining).map(([heirId]) => heirId)
    if (!heirs.includes(podId)) return
    const now = clock.now()
    let page: DueRoom[] = []
    do {
      page = await store.due(now, page.at(-1) ?? null)
      for (const { roomId } of page) if (heirOf(roomId, heirs) === podId) begin(roomId, now)
    } while (page.length === duePerPage && !isStopped)
  }

  function begin(roomId: string, now: number): void {
    if (isStopped || underWay.has(roomId) || (failed.get(roomId)?.until ?? 0) > now) return
    underWay.add(roomId)
    inTurn(async () => {
      if (!isStopped) await rooms.passTime(roomId)
    })
      .then(
        () => void failed.delete(roomId),
        (error: unknown) => {
          const failures = (failed.get(roomId)?.failures ?? 0) + 1
          const restMs = Math.min(firstRestMs * 2 ** (failures - 1), longestRestMs)
          failed.set(roomId, { failures, until: clock.now() + restMs })
          onBackgroundError(error)
        },
      )
      .finally(() => underWay.delete(roomId))
  }

  function lookLater(): void {
    if (isStopped) return
    timer = setTimeout(() => void look().catch(onBackgroundError).finally(lookLater), lookEveryMs)
    timer.unref()
  }

  return {
    start: lookLater,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

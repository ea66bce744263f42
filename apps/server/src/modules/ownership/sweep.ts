import type { Clock } from '../../kernel/clock.ts'
import { createLoop, type Loop } from '../../kernel/loop.ts'
import { createTurns } from '../../kernel/turns.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { type DueRoom, duePerPage, type RoomStore, type Rooms } from '../rooms/index.ts'
import { heirsAmong, nextOwner } from './take-over.ts'

export interface SweepDeps {
  directory: PodDirectory
  rooms: Pick<Rooms, 'passTime'>
  store: Pick<RoomStore, 'due'>
  clock: Clock
  podId: string
  /** P15: false while the directory may not yet know every living instance. */
  mayTake(): boolean
  onBackgroundError(error: unknown): void
}

/** How late a resting room's deadline may be noticed; it is recorded at its own time all the same. */
const checkEveryMs = 1_000
const passedAtOnce = 8
const firstRetryMs = 2_000
const longestRetryMs = 60_000

/** P11: keeps the deadlines of resting rooms, each by its heir. If two instances try, the epoch decides. */
export function createSweep(deps: SweepDeps): Loop {
  const { directory, rooms, store, clock, podId, mayTake, onBackgroundError } = deps
  const inTurn = createTurns(passedAtOnce)
  const underWay = new Set<string>()
  /** Rooms that could not be read or written. Each is retried later after every failure; no other room waits for it. */
  const failed = new Map<string, { failures: number; until: number }>()

  async function passDeadlines(): Promise<void> {
    if (!mayTake()) return
    const heirs = heirsAmong(await directory.alive())
    if (!heirs.includes(podId)) return
    const now = clock.now()
    let page: DueRoom[] = []
    do {
      page = await store.due(now, page.at(-1) ?? null)
      for (const { roomId } of page) if (nextOwner(roomId, heirs) === podId) begin(roomId, now)
    } while (page.length === duePerPage && !loop.isStopped())
  }

  function begin(roomId: string, now: number): void {
    if (loop.isStopped() || underWay.has(roomId) || (failed.get(roomId)?.until ?? 0) > now) return
    underWay.add(roomId)
    inTurn(async () => {
      if (!loop.isStopped()) await rooms.passTime(roomId)
    })
      .then(
        () => void failed.delete(roomId),
        (error: unknown) => {
          const failures = (failed.get(roomId)?.failures ?? 0) + 1
          const retryMs = Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs)
          failed.set(roomId, { failures, until: clock.now() + retryMs })
          onBackgroundError(error)
        },
      )
      .finally(() => underWay.delete(roomId))
  }

  const loop = createLoop(checkEveryMs, passDeadlines, onBackgroundError)
  return loop
}

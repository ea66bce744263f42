import type { Clock } from '../../../kernel/clock.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomState } from '../model/room-state.ts'

export interface RoomTimerDeps {
  clock: Clock
  /** Applies the deadline that has passed. */
  tick(): Promise<unknown>
  /** It could not be applied. It is retried, with a longer delay after each failure. */
  onFailed(error: unknown, failures: number): void
}

/** Then it looks at the clock again, which may have been corrected meanwhile. */
const longestTimerMs = 60_000
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/** The one timer of a room. A deadline that fails is retried, because the room would otherwise stand still for ever. */
export function createRoomTimer({ clock, tick, onFailed }: RoomTimerDeps) {
  let timer: NodeJS.Timeout | undefined
  /** When the timer is to ring; null while there is none. */
  let ringsAt: number | null = null
  let room: RoomState | undefined
  let failures = 0
  let retryAt = 0
  let isStopped = false

  function arm(state: RoomState): void {
    room = state
    const deadline = nextDeadline(state)
    const due = isStopped || deadline === null ? null : Math.max(deadline, retryAt)
    // Few actions move the next deadline, and a new timer for each of them would cost more than reducing it.
    if (due === ringsAt) return
    clearTimeout(timer)
    ringsAt = due
    if (due === null) return
    const delay = Math.max(0, due - clock.now())
    timer = setTimeout(delay > longestTimerMs ? armAgain : () => void ring(), Math.min(delay, longestTimerMs))
    timer.unref()
  }

  function armAgain(): void {
    ringsAt = null
    if (room) arm(room)
  }

  async function ring(): Promise<void> {
    ringsAt = null
    try {
      await tick()
      failures = 0
    } catch (error) {
      if (isStopped) return
      failures++
      retryAt = clock.now() + Math.min(firstDelayMs * 2 ** (failures - 1), longestDelayMs)
      onFailed(error, failures)
      if (room) arm(room)
    }
  }

  return {
    arm,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

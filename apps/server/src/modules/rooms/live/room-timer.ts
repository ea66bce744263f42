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

const longestTimerMs = 2_147_483_647
const firstDelayMs = 1_000
const longestDelayMs = 30_000

/** The one timer of a room. A deadline that fails is retried, because the room would otherwise stand still for ever. */
export function createRoomTimer({ clock, tick, onFailed }: RoomTimerDeps) {
  let timer: NodeJS.Timeout | undefined
  let room: RoomState | undefined
  let failures = 0
  let retryAt = 0
  let isStopped = false

  function arm(state: RoomState): void {
    room = state
    clearTimeout(timer)
    const due = nextDeadline(state)
    if (isStopped || due === null) return
    const delay = Math.min(Math.max(0, Math.max(due, retryAt) - clock.now()), longestTimerMs)
    timer = setTimeout(() => void ring(), delay)
    timer.unref()
  }

  async function ring(): Promise<void> {
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

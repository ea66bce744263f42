import type { Clock } from '../../../kernel/clock.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomState } from '../model/room-state.ts'

export interface RoomTimerParts {
  clock: Clock
  /** A deadline has come. */
  tick(): Promise<unknown>
  /** It could not be kept; it is tried again, later after each failure. */
  onFailed(error: unknown, failures: number): void
}

const longestTimerMs = 2_147_483_647
const firstRestMs = 1_000
const longestRestMs = 30_000

/** The one timer of a room. A deadline that cannot be kept is not forgotten: the room would stand still for ever. */
export function createRoomTimer({ clock, tick, onFailed }: RoomTimerParts) {
  let timer: NodeJS.Timeout | undefined
  let room: RoomState | undefined
  let failures = 0
  let restUntil = 0
  let isStopped = false

  function arm(state: RoomState): void {
    room = state
    clearTimeout(timer)
    const due = nextDeadline(state)
    if (isStopped || due === null) return
    const delay = Math.min(Math.max(0, Math.max(due, restUntil) - clock.now()), longestTimerMs)
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
      restUntil = clock.now() + Math.min(firstRestMs * 2 ** (failures - 1), longestRestMs)
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

import { isOpen } from '../model/room-state.ts'
import type { CompletedMember } from '../rooms.store.ts'
import type { LiveRoom } from './live-room.ts'

const hasSeat = (live: LiveRoom, participantId: string): boolean =>
  live.state().seats.some((seat) => seat.participantId === participantId && isOpen(seat))

/** RM79: of those who have completed, whoever has a seat in the room that is still theirs gives it up. */
export async function applyCompletions(live: LiveRoom, completed: readonly CompletedMember[]): Promise<void> {
  for (const { participantId, outcome } of completed)
    if (hasSeat(live, participantId)) await live.dispatch({ type: 'completed', participantId, outcome })
}

/** RM97: likewise for those who have withdrawn their consent. */
export async function applyWithdrawals(
  live: LiveRoom,
  withdrawn: readonly string[],
  at?: number,
): Promise<void> {
  for (const participantId of withdrawn)
    if (hasSeat(live, participantId)) await live.dispatch({ type: 'withdrawn', participantId }, at)
}

import type { ActionRules, ResearcherActionType, RoomAction } from '../model/room-action.ts'
import { isStillIn } from '../model/room-audience.ts'
import { isOpen } from '../model/room-state.ts'
import { emitToRoom, emitToSeats, Refusal, record, seatOf, type Turn } from '../model/turn.ts'
import { postponeAgentTurns } from './agent-plan.ts'
import { promptAgent } from './agent-prompt.ts'
import { addMessage } from './participation.ts'
import { movePlaybackLimits } from './playback.ts'
import { endForAll, vacate } from './presence.ts'
import { leaveState, unitsOf } from './progress.ts'

/** What a researcher may do to a room that has not ended. */
export const researcherActions: ActionRules<ResearcherActionType> = {
  advance: byResearcher(advance),
  pause: byResearcher(pause),
  resume: byResearcher(resume),
  end: byResearcher((turn, { reason }) => endForAll(turn, reason, 'TECHNICAL')),
  announce: byResearcher(announce),
  remove: byResearcher(remove),
  prompt: byResearcher(promptAgent),
}

function byResearcher<Type extends ResearcherActionType>(
  apply: (turn: Turn, action: RoomAction<Type>) => void,
): (turn: Turn, action: RoomAction<Type>) => void {
  return (turn, action) => {
    if (turn.room.status.kind === 'ended') throw new Refusal('ROOM_ENDED', 'The room has ended.')
    apply(turn, action)
  }
}

function advance(turn: Turn): void {
  const { room } = turn
  if (room.status.kind === 'paused')
    throw new Refusal('ACTION_REFUSED', 'The room is paused; resume it first.')
  for (const unit of unitsOf(turn)) if (room.status.kind === 'running') leaveState(turn, unit)
}

function pause(turn: Turn, { reason }: RoomAction<'pause'>): void {
  if (turn.room.status.kind === 'paused') return
  turn.room.status = { kind: 'paused', since: turn.now }
  emitToRoom(turn, { type: 'paused', reason })
}

/** The clock stood still during the pause: every deadline moves by its length. */
function resume(turn: Turn): void {
  const { room } = turn
  if (room.status.kind !== 'paused') return
  const pausedMs = turn.now - room.status.since
  room.status = { kind: 'running' }
  movePlaybackLimits(turn, pausedMs)
  postponeAgentTurns(turn, pausedMs)
  for (const unit of unitsOf(turn)) {
    const deadlineAt = unit.flow.deadlineAt === null ? null : unit.flow.deadlineAt + pausedMs
    unit.moveTo({ ...unit.flow, deadlineAt })
    for (const seat of unit.seats) emitToSeats(turn, [seat], { type: 'resumed', deadlineAt })
  }
}

function announce(turn: Turn, { text, to }: RoomAction<'announce'>): void {
  const seats = to === null ? turn.room.seats : [seatOf(turn, to)]
  const message = addMessage(turn, 'researcher', null, text, {
    to: to === null ? null : [to],
    missedBy: seats.filter((seat) => !isStillIn(seat)),
  })
  for (const seat of seats.filter(isStillIn))
    record(turn, seat, 'announcement', { data: { text, messageId: message.messageId } })
  emitToSeats(turn, seats, { type: 'announcement', text })
}

function remove(turn: Turn, { participantId, outcome }: RoomAction<'remove'>): void {
  const seat = seatOf(turn, participantId)
  if (!isOpen(seat)) throw new Refusal('ACTION_REFUSED', 'This participant is no longer taking part.')
  vacate(turn, seat, 'removed', outcome, 'removed by a researcher')
}

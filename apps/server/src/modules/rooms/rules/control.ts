import { canActAtAll, movesOfMediator, movesOfSeat } from '../model/agent-moves.ts'
import { type AgentPart, isSkipped } from '../model/agent-part.ts'
import type { ActionRules, ResearcherActionType, RoomAction } from '../model/room-action.ts'
import { isStillIn } from '../model/room-audience.ts'
import { recordAgentAsked, recordIntervention } from '../model/room-records.ts'
import { isOpen } from '../model/room-state.ts'
import { latestEndFor, movedLimits, shownEndFor } from '../model/time-limits.ts'
import { emitToRoom, emitToSeats, Refusal, record, seatOf, type Turn } from '../model/turn.ts'
import { flowOf } from '../model/visible-components.ts'
import { plannedForSeat, postponeAgentTurns } from './agent-plan.ts'
import { replaceMediator } from './mediator-turn.ts'
import { moveOwnTime } from './own-times.ts'
import { addMessage } from './participation.ts'
import { planned } from './planned-turn.ts'
import { movePlaybackLimits } from './playback.ts'
import { endForAll, vacate } from './presence.ts'
import { leaveState } from './progress.ts'
import { unitsOf } from './units.ts'

/** What a researcher may do to a room that has not ended. */
export const researcherActions: ActionRules<ResearcherActionType> = {
  advance: byResearcher(advance),
  pause: byResearcher(pause),
  resume: byResearcher(resume),
  end: byResearcher(end),
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

function advance(turn: Turn, action: RoomAction<'advance'>): void {
  const { room } = turn
  if (room.status.kind === 'paused')
    throw new Refusal('ACTION_REFUSED', 'The room is paused; resume it first.')
  recordIntervention(turn, action, room.seats, 'state_advanced')
  for (const unit of unitsOf(turn)) if (room.status.kind === 'running') leaveState(turn, unit)
}

function pause(turn: Turn, action: RoomAction<'pause'>): void {
  const { reason } = action
  if (turn.room.status.kind === 'paused') return
  turn.room.status = { kind: 'paused', since: turn.now }
  recordIntervention(turn, action, turn.room.seats, 'room_paused', { reason })
  emitToRoom(turn, { type: 'paused', reason })
}

/** The clock stood still during the pause: every deadline moves by its length. */
function resume(turn: Turn, action: RoomAction<'resume'>): void {
  const { room } = turn
  if (room.status.kind !== 'paused') return
  const pausedMs = turn.now - room.status.since
  room.status = { kind: 'running' }
  recordIntervention(turn, action, room.seats, 'room_resumed', { pausedMs })
  movePlaybackLimits(turn, pausedMs)
  postponeAgentTurns(turn, pausedMs)
  for (const unit of unitsOf(turn)) {
    const deadlineAt = unit.flow.deadlineAt === null ? null : unit.flow.deadlineAt + pausedMs
    const flow = { ...unit.flow, deadlineAt, ...movedLimits(unit.flow, pausedMs) }
    unit.moveTo(flow)
    for (const seat of unit.seats) {
      moveOwnTime(seat, pausedMs)
      const { shownDeadlineAt } = shownEndFor(turn.blueprint.limits, seat, flow)
      emitToSeats(turn, [seat], {
        type: 'resumed',
        deadlineAt: latestEndFor(seat, flow),
        ...(shownDeadlineAt !== undefined && { shownDeadlineAt }),
      })
    }
  }
}

function end(turn: Turn, action: RoomAction<'end'>): void {
  const { reason } = action
  recordIntervention(turn, action, turn.room.seats, 'room_ended', { reason })
  endForAll(turn, reason, 'TECHNICAL')
}

function announce(turn: Turn, action: RoomAction<'announce'>): void {
  const { text, to } = action
  const seats = to === null ? turn.room.seats : [seatOf(turn, to)]
  const message = addMessage(turn, 'researcher', null, text, {
    to: to === null ? null : [to],
    missedBy: seats.filter((seat) => !isStillIn(seat)),
  })
  const { messageId } = message
  for (const seat of seats.filter(isStillIn))
    record(turn, seat, 'announcement', { data: { text, messageId } })
  const target = to === null ? null : (seats[0]?.alias ?? null)
  recordIntervention(turn, action, seats, 'researcher_message', { text, target, messageId })
  emitToSeats(turn, seats, { type: 'announcement', text })
}

function remove(turn: Turn, action: RoomAction<'remove'>): void {
  const { participantId, outcome } = action
  const seat = seatOf(turn, participantId)
  if (!isOpen(seat)) throw new Refusal('ACTION_REFUSED', 'This participant is no longer taking part.')
  recordIntervention(turn, action, turn.room.seats, 'participant_removed', { target: seat.alias, outcome })
  vacate(turn, seat, 'removed', outcome, 'removed by a researcher')
}

/** A researcher asks an agent to act now, whatever it had planned. One that is being asked already is left alone. */
function promptAgent(turn: Turn, action: RoomAction<'prompt'>): void {
  const { participantId } = action
  const { room, blueprint, now } = turn
  const seat = room.seats.find((one) => one.participantId === participantId)
  const mediator = room.mediators?.find((one) => one.participantId === participantId)
  const agent = seat?.agent ?? mediator?.agent
  if (!agent) throw new Refusal('NOT_FOUND', 'There is no such agent in this room.')
  if (room.status.kind === 'paused')
    throw new Refusal('ACTION_REFUSED', 'The room is paused; resume it first.')
  const visit = (seat ? flowOf(room, seat) : room.flow)?.visit ?? 1
  const moves = mediator
    ? movesOfMediator(room, blueprint, mediator)
    : seat && movesOfSeat(room, blueprint, seat)
  if (!moves || !canActAtAll(moves) || isSkipped(agent, visit) || agent.arrival)
    throw new Refusal('ACTION_REFUSED', 'There is nothing that this agent could do now.')
  if (isBeingAsked(agent, now)) return
  const asked = seat ?? mediator
  if (asked) recordAgentAsked(turn, action, asked)
  if (seat) seat.agent = plannedForSeat(turn, seat, agent, 'demand')
  else if (mediator) replaceMediator(turn, { ...mediator, agent: planned(agent, mediator, 'demand', now) })
}

/** Or is still doing what it was asked for last. */
const isBeingAsked = ({ pending, coming }: AgentPart, now: number): boolean =>
  coming !== undefined || (pending !== null && pending.dueAt <= now)

import type { RoomAction } from '../model/room-action.ts'
import { isStillIn } from '../model/room-audience.ts'
import { isOpen } from '../model/room-state.ts'
import { Refusal, record, seatOf, type Turn, tellRoom, tellSeats } from '../model/turn.ts'
import { addMessage } from './participation.ts'
import { endForAll, vacate } from './presence.ts'
import { leaveState, unitsOf } from './progress.ts'

type ControlAction = Extract<RoomAction, { by: string }>

/** What a researcher does to a running room. */
export function control(turn: Turn, action: ControlAction): void {
  const { room } = turn
  if (room.status.kind === 'ended') throw new Refusal('ROOM_ENDED', 'The room has ended.')
  switch (action.type) {
    case 'advance':
      if (room.status.kind === 'paused')
        throw new Refusal('ACTION_REFUSED', 'The room is paused; resume it first.')
      for (const unit of unitsOf(turn)) if (room.status.kind === 'running') leaveState(turn, unit)
      break
    case 'pause':
      if (room.status.kind === 'paused') break
      room.status = { kind: 'paused', since: turn.now }
      tellRoom(turn, { type: 'paused', reason: action.reason })
      break
    case 'resume':
      resume(turn)
      break
    case 'end':
      endForAll(turn, action.reason, 'TECHNICAL')
      break
    case 'announce':
      announce(turn, action.text, action.to)
      break
    case 'remove':
      remove(turn, action.participantId, action.outcome)
      break
  }
}

function remove(turn: Turn, participantId: string, outcome: string): void {
  const seat = seatOf(turn, participantId)
  if (!isOpen(seat)) throw new Refusal('ACTION_REFUSED', 'This participant is no longer taking part.')
  vacate(turn, seat, 'removed', outcome, 'removed by a researcher')
}

/** Time stood still meanwhile: every deadline moves by the length of the pause. */
function resume(turn: Turn): void {
  const { room } = turn
  if (room.status.kind !== 'paused') return
  const pausedMs = turn.now - room.status.since
  room.status = { kind: 'running' }
  for (const unit of unitsOf(turn)) {
    const deadlineAt = unit.flow.deadlineAt === null ? null : unit.flow.deadlineAt + pausedMs
    unit.moveTo({ ...unit.flow, deadlineAt })
    for (const seat of unit.seats) tellSeats(turn, [seat], { type: 'resumed', deadlineAt })
  }
}

function announce(turn: Turn, text: string, to: string | null): void {
  const seats = to === null ? turn.room.seats : [seatOf(turn, to)]
  const message = addMessage(turn, 'researcher', null, text, {
    to: to === null ? null : [to],
    missedBy: seats.filter((seat) => !isStillIn(seat)),
  })
  for (const seat of seats.filter(isStillIn))
    record(turn, seat, 'announcement', { data: { text, messageId: message.messageId } })
  tellSeats(turn, seats, { type: 'announcement', text })
}

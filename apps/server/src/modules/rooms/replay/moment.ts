import type { MomentKind, RoomMoment } from '@atrium/contract'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { FlowState, RoomState, Seat } from '../model/room-state.ts'

const longestDetail = 160

/** One action of the log, and the room after it. */
export interface Happened {
  number: number
  at: number
  action: RoomAction
  after: RoomState
  emitted: readonly Emitted[]
}

/**
 * RM140: what happened, in one line; null for what nobody would look for: reports of players, and the clock when it
 * changed nothing.
 */
export function momentOf({ number, at, action, after, emitted }: Happened, blueprint: Blueprint) {
  const kind = kindOf(action, emitted)
  if (kind === null) return null
  const seat = seatIn(after, action)
  const moment: RoomMoment = {
    number,
    at,
    kind,
    alias: seat?.alias ?? mediatorIn(after, action) ?? null,
    componentId: 'componentId' in action ? (action.componentId ?? null) : null,
    detail: shortened(detailOf(action)),
    state: placeIn(after, blueprint, seat?.flow ?? after.flow),
    entered: emitted.some(({ event }) => event.type === 'state_entered'),
    ended: emitted.some(({ event }) => event.type === 'room_ended'),
  }
  return moment
}

function kindOf({ type }: RoomAction, emitted: readonly Emitted[]): MomentKind | null {
  switch (type) {
    case 'sync_report':
    case 'playback_buffer':
      return null
    case 'tick':
    case 'restored':
      return emitted.length > 0 ? type : null
    // Whoever replays the room sees the next page come.
    case 'assigned':
      return emitted.length > 0 ? 'tick' : null
    default:
      return type
  }
}

/** Whoever acts, or whom a researcher's action concerns. */
function personIn(action: RoomAction): string | null {
  if ('participantId' in action) return action.participantId
  return action.type === 'announce' ? action.to : null
}

const seatIn = ({ seats }: RoomState, action: RoomAction): Seat | undefined =>
  seats.find(({ participantId }) => participantId === personIn(action))

const mediatorIn = ({ mediators = [] }: RoomState, action: RoomAction): string | undefined =>
  mediators.find(({ participantId }) => participantId === personIn(action))?.alias

function detailOf(action: RoomAction): string | null {
  switch (action.type) {
    case 'submit_response':
      return JSON.stringify(action.value) ?? null
    case 'send_message':
    case 'announce':
      return action.text
    case 'pause':
    case 'end':
      return action.reason
    case 'remove':
    case 'completed':
      return action.outcome
    case 'playback_command':
      return action.command
    case 'agent_turn':
      return action.fallback ?? action.moves.map(textOfMove).join(' · ')
    default:
      return null
  }
}

function textOfMove(move: Extract<RoomAction, { type: 'agent_turn' }>['moves'][number]): string {
  if (move.type === 'send_message') return move.text
  return move.type === 'submit_response' ? `${move.componentId}: ${JSON.stringify(move.value)}` : move.type
}

export const shortened = <Text extends string | null>(text: Text): Text | string =>
  text !== null && text.length > longestDetail ? `${text.slice(0, longestDetail - 1)}…`.toWellFormed() : text

/** The name as it is written, unless it holds values, which differ by participant. */
export function placeIn(room: RoomState, blueprint: Blueprint, flow: FlowState | null): RoomMoment['state'] {
  const step = room.status.kind === 'ended' ? undefined : flow?.steps[flow.position]
  if (!step) return null
  const name = blueprint.states.get(step.stateId)?.state.name
  return {
    id: step.stateId,
    name: name === undefined || blueprint.templateOf(name) ? null : name,
    round: step.round,
    rounds: step.rounds,
  }
}

import { isSpent } from '@atrium/expressions'
import type { Blueprint } from '../model/blueprint.ts'
import { abandonmentOf } from '../model/deadlines.ts'
import type { PlaybackPush } from '../model/playback.ts'
import {
  type ActionRules,
  actionIdOf,
  actorOf,
  type RoomAction,
  type RoomActionType,
  type ServerActionType,
} from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import { recordComputed } from '../model/room-records.ts'
import type { RoomState } from '../model/room-state.ts'
import { emitTexts } from '../model/text-changes.ts'
import { beginTurn, type ParticipantRecord, Refusal, seatOf, type Turn } from '../model/turn.ts'
import { emitComputed } from '../model/variables.ts'
import { planAgentTurns } from './agent-plan.ts'
import { takeAgentTurn } from './agent-turn.ts'
import { assigned } from './assigned.ts'
import { takeComingMoves } from './coming-moves.ts'
import { researcherActions } from './control.ts'
import { noteAbsences } from './done-part.ts'
import { seatArrivals, takeAgentsAlong } from './hidden-agents.ts'
import { openRoom } from './opening.ts'
import { beginOwnTimes, endOwnTimes } from './own-times.ts'
import { participantActions } from './participation.ts'
import { settlePlayback } from './playback.ts'
import { syncRules } from './playback-actions.ts'
import {
  completeSeat,
  connect,
  disconnect,
  dropOverdue,
  endForAll,
  restoreSeat,
  withdraw,
} from './presence.ts'
import { leaveEndedStates } from './progress.ts'

export type Reduction =
  | {
      kind: 'applied'
      room: RoomState
      emitted: Emitted[]
      records: ParticipantRecord[]
      played: PlaybackPush[]
    }
  | { kind: 'repeated'; seq: number }
  | { kind: 'refused'; refusal: Refusal }

/** What the server does: opening the room, connections, the clock, completions. */
const serverActions: ActionRules<ServerActionType> = {
  opened: openRoom,
  connected: (turn, { participantId, language }) => connect(turn, seatOf(turn, participantId), language),
  disconnected: (turn, { participantId }) => disconnect(turn, seatOf(turn, participantId)),
  restored(turn) {
    for (const seat of turn.room.seats) restoreSeat(turn, seat)
    takeAgentsAlong(turn)
  },
  tick: passTime,
  completed: (turn, { participantId, outcome }) => completeSeat(turn, seatOf(turn, participantId), outcome),
  withdrawn: (turn, { participantId }) => withdraw(turn, seatOf(turn, participantId)),
  assigned,
  agent_turn: takeAgentTurn,
}

const rules: ActionRules<RoomActionType> = {
  ...serverActions,
  ...participantActions,
  ...syncRules,
  ...researcherActions,
}

function apply<Type extends RoomActionType>(turn: Turn, action: RoomAction<Type>): void {
  rules[action.type](turn, action)
}

/** `(state, action, now) → state + events + records`. No clock, no socket, no database in here. */
export function reduceRoom(
  state: RoomState,
  action: RoomAction,
  now: number,
  blueprint: Blueprint,
): Reduction {
  const repeated = earlierSeq(state, action)
  if (repeated !== undefined) return { kind: 'repeated', seq: repeated }
  const turn = beginTurn(state, blueprint, now, actorOf(action))
  try {
    apply(turn, action)
    leaveEndedStates(turn)
    beginOwnTimes(turn)
    emitComputed(turn, state)
    emitTexts(turn, state)
    settlePlayback(turn, state)
    endIfSpent(turn)
    recordComputed(turn, state)
    planAgentTurns(turn, state)
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
  const { room, emitted, records, played } = turn
  return { kind: 'applied', room, emitted, records, played }
}

/** RM62: the reason such a room ends with. */
export const tooMuchWork = 'too_much_work'

/** A room that cannot go on must not keep anyone waiting, nor try the same work again with the next action. */
function endIfSpent(turn: Turn): void {
  if (isSpent(turn.work) && turn.room.status.kind !== 'ended') endForAll(turn, tooMuchWork, 'TECHNICAL')
}

/** The number an action was acknowledged with when it came before. */
export function earlierSeq(state: RoomState, action: RoomAction): number | undefined {
  const actionId = actionIdOf(action)
  if (actionId === null) return undefined
  const seat = state.seats.find((one) => one.participantId === actorOf(action))
  return seat?.recent.find((one) => one.actionId === actionId)?.seq
}

/** What an action that has just been applied is acknowledged with: the same number as any repeat of it. */
export const answerTo = (state: RoomState, action: RoomAction): number =>
  earlierSeq(state, action) ?? state.seq

/** Applies what the clock alone brings about. States whose time is over are ended by `leaveEndedStates`. */
function passTime(turn: Turn): void {
  if (turn.room.status.kind === 'ended') return
  seatArrivals(turn)
  takeComingMoves(turn)
  dropOverdue(turn)
  endOwnTimes(turn, (seat, state) => noteAbsences(turn, { seats: [seat] }, state, 'time'))
  const abandonedAt = abandonmentOf(turn.room)
  if (abandonedAt !== null && abandonedAt <= turn.now) endForAll(turn, 'abandoned', 'ABANDONED')
}

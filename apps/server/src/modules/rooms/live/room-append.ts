import { type ExperimentDefinition, releasesSlot, verificationOf } from '@atrium/contract'
import { type Quota, withReserve } from '../../../kernel/quota.ts'
import { agentsIn, isPerson } from '../model/agents-in-room.ts'
import { carriedBy } from '../model/carried.ts'
import { actionIdOf, actorOf, type RoomAction } from '../model/room-action.ts'
import { type FlowState, type RoomState, rememberedActions, type Seat } from '../model/room-state.ts'
import { storageNeedOf } from '../model/storage-need.ts'
import type { ParticipantRecord } from '../model/turn.ts'
import type { Absence, AgentCall, Decision, RoomAppend, SeatedAgent } from '../rooms.store.ts'
import { answerTo, type Reduction } from '../rules/reduce-room.ts'

interface Applied {
  action: RoomAction
  /** The action as it is logged. */
  text: string
  at: number
  epoch: number
  seq: number
  before: RoomState
  definition: ExperimentDefinition
  quota: Quota
  reduction: Extract<Reduction, { kind: 'applied' }>
  calls?: readonly AgentCall[]
}

/** What an applied action adds to the log and to the participants' records. */
export function appendOf({
  action,
  text,
  at,
  epoch,
  seq,
  before,
  definition,
  quota,
  reduction,
  calls = [],
}: Applied): RoomAppend {
  const { room, records } = reduction
  const status = room.status.kind === before.status.kind ? null : room.status
  const actionId = actionIdOf(action)
  const actor = actorOf(action)
  return {
    roomId: room.roomId,
    epoch,
    seq,
    at,
    action: text,
    actor: 'by' in action ? action.by : (actor ?? 'clock'),
    actionId,
    ...(actionId !== null &&
      actor !== null && { answer: answerTo(room, action), mayBeRepeat: hasForgotten(before, actor) }),
    records: records.map(toRecord),
    ...quotaFor(action, quota),
    status,
    decisions: decisionsOf(before, room, definition),
    ...onwardOf(before, room, definition),
    ...absencesOf(before, room, definition),
    // Rooms opened by an earlier version get theirs when they are restored.
    condition: action.type === 'opened' || action.type === 'restored' ? room.condition : null,
    ...aliasesOf(before, room),
    ...seatedBy(before, room),
    ...(calls.length > 0 && { calls: [...calls] }),
  }
}

/** RM182 */
function quotaFor(action: RoomAction, quota: Quota): { quota?: Quota } {
  const need = storageNeedOf(action)
  return need ? { quota: need === 'progress' ? withReserve(quota) : quota } : {}
}

/** RM172: they are drawn when the room opens. */
const aliasesOf = (before: RoomState, { seats, isBlended }: RoomState): Pick<RoomAppend, 'aliases'> =>
  isBlended && before.seats.length === 0
    ? { aliases: seats.filter(isPerson).map(({ participantId, alias }) => ({ participantId, alias })) }
    : {}

/** Agents that are in the room now and were not before. They are only ever added. */
function seatedBy(before: RoomState, room: RoomState): { seated?: SeatedAgent[] } {
  const isOpened = before.seats.length === 0
  if (!isOpened && before.seats.length === room.seats.length) return {}
  const known = new Set(agentsIn(before).map(({ participantId }) => participantId))
  const seated = agentsIn(room).flatMap((one) =>
    known.has(one.participantId)
      ? []
      : [
          {
            participantId: one.participantId,
            experimentId: room.experimentId,
            agentId: one.agent.agentId,
            alias: one.alias,
            role: 'role' in one ? one.role : null,
          },
        ],
  )
  return seated.length > 0 ? { seated } : {}
}

/** The participants who have an outcome now and had none before. */
function decisionsOf(before: RoomState, room: RoomState, definition: ExperimentDefinition): Decision[] {
  return room.seats.flatMap((seat, index): Decision[] => {
    const { outcome, participantId, departure } = seat
    if (outcome === null || before.seats[index]?.outcome || seat.agent) return []
    return [
      {
        participantId,
        outcome,
        givesPlaceBack: releasesSlot(outcome, isFirstStateOver(seat, seat.flow ?? room.flow)),
        ...(departure && { departure }),
        decidedBy: verificationOf(definition) === 'room' ? 'room' : 'client',
      },
    ]
  })
}

/** R68: those who have gone on to another stage with this action. */
function onwardOf(
  before: RoomState,
  room: RoomState,
  definition: ExperimentDefinition,
): Pick<RoomAppend, 'onward'> {
  const onward = room.seats.flatMap((seat, index) => {
    const { nextStage: stage, participantId } = seat
    return stage === undefined || before.seats[index]?.nextStage !== undefined
      ? []
      : [{ participantId, stage, carried: JSON.stringify(carriedBy(room, definition, seat)) }]
  })
  return onward.length > 0 ? { onward } : {}
}

/** S47: only where those who may still complete are balanced. They may come back, so nothing is decided. */
function absencesOf(
  before: RoomState,
  room: RoomState,
  { conditions }: ExperimentDefinition,
): { absences?: Absence[] } {
  if (conditions?.balance !== 'completed') return {}
  const absences = room.seats.flatMap(({ participantId, status, agent }, index): Absence[] => {
    const isDropped = status === 'dropped'
    return agent || isDropped === (before.seats[index]?.status === 'dropped')
      ? []
      : [{ participantId, isDropped }]
  })
  return absences.length > 0 ? { absences } : {}
}

/**
 * R56: where the room decides, this decides about the place once and for all. People who were there at the end of the
 * first state have taken part, even if nothing came after it; people whom its deadline found gone have not.
 */
const isFirstStateOver = ({ presence }: Seat, flow: FlowState | null): boolean => {
  const wasThere = presence.kind === 'connected' || presence.graceUntil !== null
  return flow !== null && (flow.visit > 1 || (wasThere && flow.position >= flow.steps.length))
}

/** A seat that remembers fewer actions than it could has forgotten none. */
export const hasForgotten = ({ seats }: RoomState, participantId: string): boolean =>
  (seats.find((seat) => seat.participantId === participantId)?.recent.length ?? 0) >= rememberedActions

/** A line of a participant's own record, in the form in which all their events are stored. */
const toRecord = (record: ParticipantRecord): RoomAppend['records'][number] => ({
  participantId: record.participantId,
  event: {
    eventId: null,
    type: record.type,
    stateId: record.stateId,
    componentId: record.componentId,
    timestamp: record.timestamp,
    data: JSON.stringify(record.data),
    flags: record.flags?.join(' ') ?? '',
    extra: null,
    round: record.round,
    visit: record.visit,
  },
  ...(record.moment && { moment: record.moment }),
})

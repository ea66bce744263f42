import { levelsOf, roleIdsOf } from '@atrium/contract'
import { boundedWork, isSpent, type Value } from '@atrium/expressions'
import { hasConditionsOfStudy } from './carried.ts'
import { paymentIn } from './payment.ts'
import type { ResearcherActionType, RoomAction } from './room-action.ts'
import { isStillIn } from './room-audience.ts'
import { conditionIn, isOpen, type RoomState, type Seat } from './room-state.ts'
import { type Recorded, record, type Turn, visitOf, workFor } from './turn.ts'
import { isSameValue, keeperAmong, recordChange, recordInitial } from './variable-record.ts'
import { type Common, scopeFor, steadyCommon } from './variables.ts'

// R54: what the participants' own records receive besides their actions. None of it decides anything.

/** What a room begins with: the condition and roles that were assigned, where there are any, and the variables. */
export function recordOpening(turn: Turn): void {
  const { room, blueprint } = turn
  const { definition } = blueprint
  const hasRoles = roleIdsOf(definition).length > 0
  const seats = room.seats.filter(({ status }) => status !== 'agent')
  for (const seat of seats) {
    recordCondition(turn, seat)
    if (hasRoles) record(turn, seat, 'role_assigned', { data: { role: seat.role } })
  }
  const keeper = keeperAmong(turn, seats)
  if (keeper) recordInitial(turn, 'room', keeper, room.variables)
  for (const seat of seats) recordInitial(turn, seat, seat, seat.variables)
}

/** R68: it was assigned in the room of an earlier stage, and is recorded there. */
const isBrought = ({ room, blueprint }: Turn): boolean =>
  room.stage !== undefined && hasConditionsOfStudy(blueprint.definition, room)

export function recordCondition(turn: Turn, seat: Seat): void {
  const { conditions } = turn.blueprint.definition
  const condition = conditionIn(turn.room, seat)
  if (!conditions || condition === null || isBrought(turn)) return
  record(turn, seat, 'condition_assigned', {
    data: {
      condition,
      ...(conditions.factors && { factors: levelsOf(conditions, condition) }),
      seed: conditions.seed ?? turn.room.experimentId,
      ordinal: turn.room.ordinal,
    },
  })
}

/** R91: how a researcher's actions are called in the records. */
type Intervention =
  | 'room_paused'
  | 'room_resumed'
  | 'state_advanced'
  | 'room_ended'
  | 'researcher_message'
  | 'participant_removed'

/**
 * What a researcher does, with each participant whom it concerns and who is still in, so that their record explains their
 * times. Participants are named by alias: their ids must not remain in the records of others when they are deleted.
 */
export function recordIntervention(
  turn: Turn,
  { researcher }: RoomAction<ResearcherActionType>,
  seats: readonly Seat[],
  type: Intervention,
  data: Record<string, unknown> = {},
): void {
  if (researcher === undefined) return
  for (const seat of seats.filter(isStillIn))
    record(turn, seat, type, { stateId: visitOf(turn, seat).stateId, data: { researcher, ...data } })
}

export function recordAgentAsked(
  turn: Turn,
  { researcher }: RoomAction<'prompt'>,
  agent: Recorded & { alias: string },
): void {
  if (researcher === undefined) return
  record(turn, agent, 'agent_asked', {
    stateId: visitOf(turn, agent).stateId,
    data: { researcher, target: agent.alias },
  })
}

/** What a participant has earned when their part ends, whatever the outcome. Has a work budget of its own. */
export function recordPayoffs(turn: Turn, seat: Seat): void {
  const { room, blueprint } = turn
  recordPayment(turn, seat)
  if (blueprint.payoffs.length === 0) return
  const work = workFor(0)
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work })
  for (const variable of blueprint.payoffs)
    record(turn, seat, 'payoff', { data: { variable, value: scope.variable(variable) ?? null } })
}

/** RM203 */
function recordPayment(turn: Turn, seat: Seat): void {
  const payment = paymentIn(turn.room, turn.blueprint, seat, { outcome: seat.outcome })
  if (payment) record(turn, seat, 'payment', { data: { ...payment } })
}

/**
 * A fifth of what an action may cost, and not taken from it. Values that are still missing when it is spent are left out;
 * they follow from what is recorded.
 */
const workOfRecord = (seats: number) => boundedWork(50_000 + seats * 200)

/**
 * Nobody assigns computed variables, so their values are compared after each action, secret ones included: those of the
 * room once, those of participants for each participant.
 */
export function recordComputed(turn: Turn, before: RoomState): void {
  const { room, blueprint } = turn
  const { computed } = blueprint
  if (computed.room.length + computed.participant.length === 0 || !mayDiffer(before, room)) return
  const work = workOfRecord(room.seats.length)
  const shared = new Map([before, room].map((one) => [one, steadyCommon()]))

  const valuesIn = (one: RoomState, names: readonly string[], seat: Seat | null): Value[] => {
    const flow = one.flow ?? (seat ?? onlySeatOf(one))?.flow ?? null
    const common: Common | undefined = one.flow ? shared.get(one) : undefined
    const scope = scopeFor(one, blueprint, { seat, flow, work, ...(common && { common }) })
    return names.map((name) => scope.variable(name) ?? null)
  }
  const recordFor = (names: readonly string[], seat: Seat | null, former: Seat | null | undefined): void => {
    const keeper = seat ?? keeperAmong(turn, room.seats)
    if (names.length === 0 || !keeper || isSpent(work)) return
    const was = former === undefined ? [] : valuesIn(before, names, former)
    const is = valuesIn(room, names, seat)
    if (isSpent(work)) return
    names.forEach((variable, index) => {
      const value = is[index] ?? null
      if (!isSameValue(turn, was[index], value))
        recordChange(turn, seat ?? 'room', keeper, { variable, value, cause: 'compute' })
    })
  }

  recordFor(computed.room, null, before.seats.length === 0 ? undefined : null)
  room.seats.forEach((seat, index) => {
    const former = before.seats[index]
    // In a blended room, an agent takes the place of a person.
    const isSame = former?.participantId === seat.participantId
    if (isOpen(seat)) recordFor(computed.participant, seat, isSame ? former : undefined)
  })
}

const onlySeatOf = ({ seats }: RoomState): Seat | undefined => (seats.length === 1 ? seats[0] : undefined)

/** Most actions (a message, a connection) change nothing that an expression could read. */
const mayDiffer = (before: RoomState, after: RoomState): boolean =>
  before.variables !== after.variables ||
  before.flow !== after.flow ||
  before.seats.length !== after.seats.length ||
  after.seats.some((seat, index) => {
    const former = before.seats[index]
    return (
      seat.status !== former?.status ||
      seat.variables !== former.variables ||
      seat.responses !== former.responses ||
      seat.here !== former.here ||
      seat.flow !== former.flow
    )
  })

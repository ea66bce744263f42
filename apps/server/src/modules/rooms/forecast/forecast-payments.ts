import {
  anyRole,
  type ExperimentDefinition,
  groupSizeOf,
  type PaymentForecast,
  productOf,
  roleIdsOf,
  rolesOfPeople,
  roundMoney,
  stageOf,
  sumOf,
  type WrittenDefinition,
} from '@atrium/contract'
import { pacingOf } from '@atrium/flow'
import { validationFailed } from '../../../kernel/app-error.ts'
import { type Blueprint, compileBlueprint } from '../model/blueprint.ts'
import { type Carried, carriedBy } from '../model/carried.ts'
import { type PaymentInRoom, paymentIn } from '../model/payment.ts'
import type { RoomState, Seat } from '../model/room-state.ts'
import type { Member } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import { type PlayBudget, playToTheEnd } from './simulated-people.ts'

/** The mean of a uniform bonus is then known to within 4% of its range. */
const peopleSimulated = 200
const minRooms = 2
/** Some seconds, unless the expressions are heavy. Rooms that are not through by then do not count. */
const usualBudget = 1_000_000

/** R64: what a study is expected to pay, found by playing it with people who answer at random. */
export function forecastPayments(
  written: WrittenDefinition,
  people: number,
  budget: PlayBudget = { left: usualBudget },
): PaymentForecast {
  const { payment } = written.completion ?? {}
  if (!payment)
    throw validationFailed([
      {
        path: '/completion/payment',
        message: 'is missing; without it nobody is paid, and there is nothing to estimate',
      },
    ])
  const payments = playedPayments(written, budget)
  const { currency } = payment
  const isKnown = ({ isPaid, amount }: PaymentInRoom) => isPaid && amount !== null
  const amounts = payments.filter(isKnown).map(({ amount }) => amount ?? 0)
  const unpaid = payments.filter(({ isPaid }) => !isPaid).length
  const counts = { currency, people, simulated: payments.length, paid: amounts.length, unpaid }
  const unknown = payments.length - amounts.length - unpaid
  if (amounts.length === 0) return { ...counts, unknown, perPerson: null, total: null }
  const mean = amounts.reduce((sum, amount) => sumOf(sum, amount), 0) / amounts.length
  return {
    ...counts,
    unknown,
    perPerson: {
      mean: roundMoney(mean, currency),
      lowest: Math.min(...amounts),
      highest: Math.max(...amounts),
    },
    total: roundMoney(productOf(mean, people), currency),
  }
}

/** R68: people go through the stages in groups, as they would; those for whom a group is not complete are left out. */
function playedPayments(written: WrittenDefinition, budget: PlayBudget): PaymentInRoom[] {
  const payments: PaymentInRoom[] = []
  /** What people bring, by the stage that they have come to. */
  const arrived = new Map<string | null, (Carried | undefined)[]>()
  for (const stage of [null, ...(written.stages ?? []).slice(1).map(({ id }) => id)]) {
    const played = playStage(stageOf(written, stage), { stage, arrived: arrived.get(stage), budget })
    for (const { seat, payment, carried } of played)
      if (seat.nextStage === undefined) payments.push(...(payment ? [payment] : []))
      else arrived.set(seat.nextStage, [...(arrived.get(seat.nextStage) ?? []), carried])
  }
  return payments
}

interface StagePlay {
  stage: string | null
  /** Absent in the first stage, to which as many come as it takes. */
  arrived: (Carried | undefined)[] | undefined
  budget: PlayBudget
}

/** The people of each room; agents are played too, because the others’ earnings depend on them. */
function playStage(played: ExperimentDefinition, { stage, arrived, budget }: StagePlay) {
  const { agents: _played, ...rest } = played
  const blueprint = compileBlueprint({ ...rest, pacing: pacingOf(played) })
  const people = peopleIn(played)
  const agents = agentsIn(played, people.length)
  const everybody = arrived ?? (stage === null ? newcomers(people.length) : [])
  const results: { seat: Seat; payment: PaymentInRoom | undefined; carried: Carried }[] = []
  for (let ordinal = 0; (ordinal + 1) * people.length <= everybody.length && budget.left > 0; ordinal++) {
    const group = everybody.slice(ordinal * people.length, (ordinal + 1) * people.length)
    const members = people.map((member, at) => ({ ...member, ...(group[at] && { carried: group[at] }) }))
    const room = playToTheEnd(
      openedRoom(blueprint, [...members, ...agents], { stage, ordinal }),
      blueprint,
      budget,
    )
    if (!room) continue
    for (const seat of room.seats.slice(0, people.length))
      results.push({
        seat,
        payment: paymentIn(room, blueprint, seat, { outcome: seat.outcome }),
        carried: carriedBy(room, played, seat),
      })
  }
  return results
}

const newcomers = (groupSize: number): undefined[] =>
  new Array<undefined>(groupSize * Math.max(minRooms, Math.ceil(peopleSimulated / groupSize))).fill(undefined)

function openedRoom(
  blueprint: Blueprint,
  members: Member[],
  { stage, ordinal }: { stage: string | null; ordinal: number },
): RoomState {
  const seed = `forecast ${stage === null ? '' : `${stage} `}${ordinal}`
  const origin = { roomId: 'forecast', experimentId: 'forecast', revision: 1, stage, seed, ordinal }
  const opened = { type: 'opened', members, seed, ordinal, countsAbsence: true } as const
  const reduction = reduceRoom(emptyRoom(origin, blueprint), opened, 0, blueprint)
  if (reduction.kind !== 'applied') throw new Error('a simulated room was not opened')
  const { room } = reduction
  const presence = { kind: 'connected' } as const
  // As if everybody had come at once. One after the other, a thousand people would look at each other a million times.
  return { ...room, seats: room.seats.map((seat) => ({ ...seat, presence, hasMissed: false })) }
}

/** As many as a group can have, each role with what it needs first. */
function peopleIn(definition: ExperimentDefinition): Member[] {
  const size = groupSizeOf(definition).max
  const roles = rolesOfPeople(definition)
  const needed = roles.flatMap(({ id, min }) => Array.from({ length: min }, () => id))
  const taken = new Map(roles.map(({ id, min }) => [id, min]))
  const more: string[] = []
  while (needed.length + more.length < size) {
    const open = roles.filter(({ id, max }) => (taken.get(id) ?? 0) < max)
    const [next] = open.toSorted((one, other) => (taken.get(one.id) ?? 0) - (taken.get(other.id) ?? 0))
    if (next) taken.set(next.id, (taken.get(next.id) ?? 0) + 1)
    more.push(next?.id ?? anyRole)
  }
  return [...needed, ...more].slice(0, size).map((role, index) => ({ participantId: `p${index + 1}`, role }))
}

function agentsIn(definition: ExperimentDefinition, from: number): Member[] {
  const [first = anyRole] = roleIdsOf(definition)
  const roles = (definition.agents ?? []).flatMap(({ seats = 0, role = first }) =>
    Array.from({ length: seats }, () => role),
  )
  return roles.map((role, index) => ({ participantId: `p${from + index + 1}`, role }))
}

import { boundedWork, isSpent, type Value } from '../../flow/index.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'
import type { Turn } from './turn.ts'
import { isSameValue, keeperAmong, recordChange } from './variable-record.ts'
import { type Common, nothingYet, scopeFor } from './variables.ts'

/**
 * A fifth of what an action may cost, and not taken from it: the record decides nothing. What is still to be worked out
 * when it is spent is left out; it follows from what is recorded.
 */
const workOfRecord = (seats: number) => boundedWork(50_000 + seats * 200)

/**
 * R54: nobody assigns computed variables, so what they came to is looked up after the action, secret ones included: those
 * of the room once, those of participants for each of them.
 */
export function recordComputed(turn: Turn, before: RoomState): void {
  const { room, blueprint } = turn
  const { computed } = blueprint
  if (computed.room.length + computed.participant.length === 0 || !mayDiffer(before, room)) return
  const work = workOfRecord(room.seats.length)
  const shared = new Map([before, room].map((one) => [one, { ...nothingYet(), computed: new Map() }]))

  const valuesIn = (one: RoomState, names: readonly string[], seat: Seat | null): Value[] => {
    const flow = one.flow ?? (seat ?? lone(one))?.flow ?? null
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
    if (isOpen(seat)) recordFor(computed.participant, seat, before.seats[index])
  })
}

const lone = ({ seats }: RoomState): Seat | undefined => (seats.length === 1 ? seats[0] : undefined)

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

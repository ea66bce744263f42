import { limits } from '@atrium/contract'
import { type Expression, evaluate, spend } from '@atrium/expressions'
import { random } from '@atrium/flow'
import { isStillIn } from '../model/room-audience.ts'
import type { FlowState, RoomState, Seat } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { emitToSeat, type Turn } from '../model/turn.ts'
import { emptyCommon, scopeFor } from '../model/variables.ts'
import { othersFor } from '../model/view.ts'
import { recordNeighbours } from './networking.ts'

type Names = ReadonlyMap<Seat, readonly Seat[]>

/** RM251: what everyone named is found before anything changes, so that seats are equal; then they part, and then they are joined. */
export function rewire(turn: Turn, seats: readonly Seat[], flow: FlowState, state: StateBlueprint): void {
  const { room } = turn
  if (!state.rewire || !room.network) return
  const { cut, join, isMutual } = state.rewire
  const parting = namedBy(turn, seats, flow, cut, 'cut')
  const joining = namedBy(turn, seats, flow, join, 'join')
  const places = room.network.map((others) => new Set(others))
  let edges = room.network.reduce((sum, { length }) => sum + length, 0) / 2
  for (const [one, other] of pairsIn(parting))
    if (places[one]?.delete(other) && places[other]?.delete(one)) edges -= 1
  for (const [one, other, seat, named] of pairsIn(joining)) {
    const isWanted = !isMutual || (joining.get(named)?.includes(seat) ?? false)
    if (!isWanted || places[one]?.has(other) || edges >= limits.definition.edges) continue
    places[one]?.add(other)
    places[other]?.add(one)
    edges += 1
  }
  changeNetwork(
    turn,
    places.map((others) => [...others].sort((a, b) => a - b)),
  )
}

/** Everyone whose neighbours are others than before is told, and has it on record. */
function changeNetwork(turn: Turn, network: NonNullable<RoomState['network']>): void {
  const { room } = turn
  const before = room.network ?? []
  const isChanged = ({ place = -1 }: Seat): boolean => before[place]?.join() !== network[place]?.join()
  const changed = room.seats.filter((seat) => seat.replacedBy === undefined && isChanged(seat))
  if (changed.length === 0) return
  room.network = network
  recordNeighbours(turn, changed)
  for (const seat of changed.filter(isStillIn)) {
    const spoken = turn.blueprint.inLanguage(seat.language)
    spend(turn.work, costOfTelling + (network[seat.place ?? -1]?.length ?? 0))
    emitToSeat(turn, seat, { type: 'neighbours', others: othersFor(room, spoken, seat) })
  }
}

/** As of an assignment. */
const costOfTelling = 32

/** Those who are still in, by who named them. */
function namedBy(
  turn: Turn,
  seats: readonly Seat[],
  flow: FlowState,
  expression: Expression | null,
  what: string,
): Names {
  if (!expression) return new Map()
  const { room, blueprint, work } = turn
  const present = room.seats.filter((one) => one.place !== undefined && isStillIn(one))
  const byAlias = new Map(present.map((one) => [one.alias, one]))
  const common = emptyCommon()
  return new Map(
    seats.map((seat): [Seat, readonly Seat[]] => {
      const scope = scopeFor(room, blueprint, { seat, flow, work, common, now: turn.now })
      const draw = random(`${room.seed} ${room.seats.indexOf(seat)} ${flow.visit} rewire ${what}`)
      const value = evaluate(expression, { ...scope, draw }, work)
      const names = new Set(Array.isArray(value) ? value : [value])
      spend(work, costOfTelling + names.size)
      const named = [...names].flatMap((name) => (typeof name === 'string' ? (byAlias.get(name) ?? []) : []))
      return [seat, named.filter((one) => one !== seat)]
    }),
  )
}

function* pairsIn(names: Names): Generator<[one: number, other: number, seat: Seat, named: Seat]> {
  for (const [seat, named] of names)
    for (const one of named)
      if (seat.place !== undefined && one.place !== undefined) yield [seat.place, one.place, seat, one]
}

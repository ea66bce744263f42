import { drawNetwork, neighboursIn, random } from '@atrium/flow'
import { neighboursOf, sittersOf } from '../model/network.ts'
import type { Seat } from '../model/room-state.ts'
import { record, type Turn, visitOf } from '../model/turn.ts'

/** RM245: who is joined with whom, once everyone has a seat. Whoever takes a seat over has its place. */
export function layNetwork(turn: Turn): void {
  const { room, blueprint } = turn
  const { network } = blueprint.definition
  if (!network) return
  const { seed } = network
  const roles = room.seats.map(({ role }) => role)
  const draw = random(seed === undefined ? `${room.seed} network` : `network ${seed}`)
  room.network = neighboursIn(roles.length, drawNetwork(network, roles, draw))
  for (const [place, seat] of room.seats.entries()) seat.place = place
  recordNeighbours(turn, room.seats)
}

/** RM252: with each of them, whom they are joined with from now on. By alias: ids of others must not remain when they are deleted. */
export function recordNeighbours(turn: Turn, seats: readonly Seat[]): void {
  const { room } = turn
  const sitters = sittersOf(room)
  for (const seat of seats) {
    if (seat.place === undefined || seat.status === 'agent') continue
    const others = seat.replacedBy === undefined ? neighboursOf(room, seat, sitters) : []
    record(turn, seat, 'neighbours', {
      stateId: visitOf(turn, seat).stateId,
      data: {
        seat: seat.place + 1,
        neighbours: others.map(({ place = 0, alias }) => ({ seat: place + 1, alias })),
      },
    })
  }
}

/** RM250: an agent has taken over a seat; those around it have another neighbour. */
export function recordSuccessor(turn: Turn, left: Seat, seat: Seat): void {
  if (!turn.room.network) return
  recordNeighbours(turn, [left, seat, ...neighboursOf(turn.room, seat, sittersOf(turn.room))])
}

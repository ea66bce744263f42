import type { Component } from '@atrium/contract'
import { isRecord, spend, type Value, type Work } from '@atrium/expressions'
import { isNeighbour } from './network.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'

// R62: who is asked about, by a component that is asked once for each other member of the room.

/** Everybody else who has a seat, in seat order. */
export const othersIn = ({ seats }: Pick<RoomState, 'seats'>, reader: Seat): Seat[] =>
  seats.filter(
    (one) =>
      one.participantId !== reader.participantId && one.replacedBy === undefined && one.status !== 'agent',
  )

/** RM196: whoever has left for good is not asked about any more. Whoever has completed still is. */
export const isAskedAbout = (seat: Seat): boolean =>
  isOpen(seat) || (seat.status === 'finished' && seat.departure === undefined)

/**
 * Those whom an answer that names these is about: of those who have gone since the reader's page began, it counts what it says of
 * them, and in the place of an agent that has taken their seat meanwhile. Nobody can have been asked about those who went before.
 */
export function answeredAbout(room: RoomState, reader: Seat, names: readonly string[]): Seat[] {
  const named = new Set(names)
  return othersIn(room, reader).flatMap((one) => {
    if (named.has(one.alias)) return isAskedAbout(one) || wasHere(room, reader, one) ? [one] : []
    const former = room.seats.find(
      (before) =>
        before.replacedBy === one.participantId && named.has(before.alias) && wasHere(room, reader, before),
    )
    return former ? [former] : isAskedAbout(one) ? [one] : []
  })
}

/** Whether somebody who has gone was still here when the reader's page began. A room says so exactly, where it moves as one. */
function wasHere({ flow }: RoomState, reader: Seat, { gone }: Seat): boolean {
  if (!gone) return true
  return flow ? gone.visit === flow.visit : gone.at >= (reader.flow?.enteredAt ?? 0)
}

/** RM253: whether a component asks this reader about somebody at all. */
export const concerns =
  (room: RoomState, reader: Seat, { asksNeighbours }: { asksNeighbours: boolean }) =>
  (one: Seat): boolean =>
    !asksNeighbours || isNeighbour(room, reader, one)

/** The component as it is asked about one of them. */
export const askedAboutOne = ({ forEach: _, ...component }: Component): Component => component

/** What the others have answered about somebody, also under the alias of a person whose seat they have taken over. */
export function answersAbout(
  { seats }: RoomState,
  seat: Seat,
  answerOf: (one: Seat) => Value | undefined,
  work: Work,
): Value[] {
  spend(work, seats.length / 4)
  const aliases = [seat.alias, ...formerAliases(seats, seat)]
  return othersIn({ seats }, seat).flatMap((one) => {
    const answers = answerOf(one) ?? null
    if (!isRecord(answers)) return []
    const alias = aliases.find((name) => Object.hasOwn(answers, name))
    return alias === undefined ? [] : [answers[alias] ?? null]
  })
}

const formerAliases = (seats: readonly Seat[], { participantId }: Seat): string[] =>
  seats.flatMap((one) => (one.replacedBy === participantId ? [one.alias, ...formerAliases(seats, one)] : []))

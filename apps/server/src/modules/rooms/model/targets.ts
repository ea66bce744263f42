import type { Component } from '@atrium/contract'
import { isRecord, spend, type Value, type Work } from '@atrium/expressions'
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

import type { Claim, Place, QueueView, Reservation, WaitingPerson } from '../../ports/waiting-queue.ts'

/** The number of people present, then position (0 for claimed ones) and arrival of each person asked for. */
export type KeepReply = [waiting: number, ...positionsAndArrivals: (number | string)[]]

export function placesIn(
  [waiting, ...rest]: KeepReply,
  people: readonly WaitingPerson[],
): { places: Place[]; waiting: number } {
  const places = people.map(({ participantId }, index): Place => {
    const [position, arrivedAt] = [Number(rest[2 * index]), Number(rest[2 * index + 1])]
    return position > 0 ? { participantId, position, arrivedAt } : { participantId, position: null }
  })
  return { places, waiting }
}

/** Arrivals and presence as Redis returns sorted sets (id, score, …), people as it returns hashes (id, JSON, …). */
export type QueueReply = [arrivals: string[], presence: string[], people: string[]]

export function viewOf([arrivals, presence, people]: QueueReply, now: number): QueueView {
  const presentUntil = new Map(pairs(presence))
  const texts = new Map(pairs(people))
  const view: QueueView = { people: [], absent: [] }
  for (const [participantId, arrivedAt] of pairs(arrivals)) {
    if (Number(presentUntil.get(participantId)) >= now)
      view.people.push({ ...personIn(texts.get(participantId)), arrivedAt: Number(arrivedAt) })
    else view.absent.push(participantId)
  }
  return view
}

export type ClaimReply = [kind: Claim['kind'], ...participantIds: string[]]

export const claimOf = ([kind, ...participantIds]: ClaimReply): Claim =>
  kind === 'people_gone' ? { kind, participantIds } : { kind }

/**
 * The script stored a list that starts with the reservation as we gave it, as text; the rest is for putting people
 * back.
 */
export function reservationIn(record: string): Reservation {
  const [text = ''] = JSON.parse(record) as [string?]
  return JSON.parse(text) as Reservation
}

const personIn = (text = ''): WaitingPerson => JSON.parse(text) as WaitingPerson

export const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? '', flat[2 * at + 1] ?? ''])

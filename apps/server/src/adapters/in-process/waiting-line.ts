import { limits } from '@atrium/contract'
import type { Place, QueueView, WaitingPerson } from '../../ports/waiting-queue.ts'

/** How far back the estimate of waiting times looks. A thousand arrivals say as much about the rate as all of them. */
export const recentArrivals = { forMs: 3_600_000, atMost: 1_000 }
/** A late report that somebody waits must not bring them back after they were claimed. None is this late. */
export const claimsForMs = limits.waitingKeyTtlSeconds * 1000

interface Waiting {
  person: WaitingPerson
  presentUntil: number
}

/** The queue of one experiment. */
export function createWaitingLine() {
  const waiting = new Map<string, Waiting>()
  const claimedAt = new Map<string, number>()
  let arrivals = new Map<string, number>()

  const byArrival = (): Waiting[] =>
    [...waiting.values()].sort(
      (one, other) =>
        one.person.arrivedAt - other.person.arrivedAt ||
        (one.person.participantId < other.person.participantId ? -1 : 1),
    )

  function keepOne(person: WaitingPerson, presentUntil: number): void {
    const { participantId } = person
    if (claimedAt.has(participantId)) return
    const known = waiting.get(participantId)
    if (!known) arrivals.set(participantId, person.arrivedAt)
    const arrivedAt = known?.person.arrivedAt ?? person.arrivedAt
    waiting.set(participantId, { person: { ...person, arrivedAt }, presentUntil })
  }

  function forgetOldClaims(now: number): void {
    for (const [participantId, at] of claimedAt) if (at <= now - claimsForMs) claimedAt.delete(participantId)
  }

  function forgetOldArrivals(now: number): void {
    const recent = [...arrivals].filter(([, at]) => at >= now - recentArrivals.forMs)
    recent.sort(([, one], [, other]) => one - other)
    arrivals = new Map(recent.slice(-recentArrivals.atMost))
  }

  return {
    keep(people: readonly WaitingPerson[], presentUntil: number, now: number) {
      forgetOldClaims(now)
      for (const person of people) keepOne(person, presentUntil)
      forgetOldArrivals(now)
      const positions = new Map<string, number>()
      let present = 0
      for (const { person, presentUntil: until } of byArrival()) {
        positions.set(person.participantId, present + 1)
        if (until >= now) present++
      }
      const places = people.map(({ participantId }): Place => {
        const [position, known] = [positions.get(participantId), waiting.get(participantId)]
        return position && known
          ? { participantId, position, arrivedAt: known.person.arrivedAt }
          : { participantId, position: null }
      })
      return { places, waiting: present }
    },
    view(now: number): QueueView {
      const all = byArrival()
      return {
        people: all.filter(({ presentUntil }) => presentUntil >= now).map(({ person }) => person),
        absent: all
          .filter(({ presentUntil }) => presentUntil < now)
          .map(({ person }) => person.participantId),
      }
    },
    isEmpty: () => waiting.size === 0,
    remove: (participantId: string): boolean => waiting.delete(participantId),
    forget(participantId: string): void {
      for (const known of [waiting, arrivals, claimedAt]) known.delete(participantId)
    },
    /** Undefined for participants who are not in the queue, or absent. */
    find(participantId: string, now: number): Waiting | undefined {
      const found = waiting.get(participantId)
      return found && found.presentUntil >= now ? found : undefined
    },
    claim(participantId: string, now: number): void {
      waiting.delete(participantId)
      claimedAt.set(participantId, now)
    },
    unclaim: (participantId: string) => void claimedAt.delete(participantId),
    putBack(person: WaitingPerson, presentUntil: number): void {
      waiting.set(person.participantId, { person, presentUntil })
    },
    arrivalsSince: (since: number): number[] => [...arrivals.values()].filter((at) => at >= since),
  }
}

import { canTake } from '../../modules/ownership/capacity.plan.ts'
import type { Claim, Group, Reservation, WaitingPerson, WaitingQueue } from '../../ports/waiting-queue.ts'
import { createLapsingMap } from './lapsing-map.ts'
import type { InProcessPods } from './pod-directory.ts'
import { createWaitingLine } from './waiting-line.ts'

/** Nothing here awaits between a check and the change that depends on it, which makes each step atomic. */
export function createInProcessWaiting(pods: InProcessPods): WaitingQueue {
  const lines = new Map<string, ReturnType<typeof createWaitingLine>>()
  const leaders = createLapsingMap<string>(pods.clock)
  const reservations = new Map<string, { reservation: Reservation; people: WaitingPerson[] }>()

  function lineOf(experimentId: string) {
    const line = lines.get(experimentId) ?? createWaitingLine()
    lines.set(experimentId, line)
    return line
  }

  function claim(group: Group, now: number, until: number): Claim {
    const { roomId, podId, members } = group
    const line = lineOf(group.experimentId)
    const found = members.map(({ participantId }) => line.find(participantId, now))
    const gone = members.filter((_, index) => !found[index])
    if (gone.length > 0)
      return { kind: 'people_gone', participantIds: gone.map(({ participantId }) => participantId) }
    if (!canTake(pods.loadOf(podId), members.length)) return { kind: 'pod_unfit' }
    if (pods.ownerOf(roomId) !== undefined) return { kind: 'room_exists' }
    pods.reserve(podId, { roomId, participantCount: members.length, assignedAt: now })
    const people = found.flatMap((waiting) => (waiting ? [waiting.person] : []))
    for (const { participantId } of people) line.claim(participantId, now)
    reservations.set(roomId, { reservation: { ...group, until }, people })
    return { kind: 'claimed' }
  }

  function settle({ roomId, podId }: Group): void {
    if (reservations.delete(roomId)) pods.unreserve(podId, roomId)
  }

  const reservationsThat = (isWanted: (reservation: Reservation) => boolean): Reservation[] =>
    [...reservations.values()].map(({ reservation }) => reservation).filter(isWanted)

  return {
    keep: async (experimentId, people, presentUntil, now) =>
      lineOf(experimentId).keep(people, presentUntil, now),
    leave: async (experimentId, participantIds) => participantIds.filter(lineOf(experimentId).remove),
    forget: async (experimentId, participantId) => lineOf(experimentId).forget(participantId),
    view: async (experimentId, now) => lineOf(experimentId).view(now),
    experiments: async () => [...lines].filter(([, line]) => !line.isEmpty()).map(([id]) => id),
    async lead(experimentId, podId, forMs) {
      const isOurs = (leaders.get(experimentId) ?? podId) === podId
      if (isOurs) leaders.set(experimentId, podId, forMs)
      return isOurs
    },
    claim: async (group, now, until) => claim(group, now, until),
    reservedFor: async (podId) => reservationsThat((reservation) => reservation.podId === podId),
    lapsed: async (now) => reservationsThat(({ until }) => until < now),
    settle: async (reservation) => settle(reservation),
    async release(group, stillWaiting, presentUntil) {
      const { roomId, podId, experimentId } = group
      const reserved = reservations.get(roomId)
      if (!reserved) return
      const line = lineOf(experimentId)
      for (const person of reserved.people) {
        line.unclaim(person.participantId)
        if (stillWaiting.includes(person.participantId)) line.putBack(person, presentUntil)
      }
      settle(group)
      pods.forget(podId, roomId)
    },
    arrivalsSince: async (experimentId, since) => lineOf(experimentId).arrivalsSince(since),
  }
}

import { limits } from '@atrium/contract'
import { keys, type RoomAssignment } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import type { Group, Reservation, WaitingQueue } from '../../ports/waiting-queue.ts'
import { claimsForMs, recentArrivals } from '../in-process/waiting-line.ts'
import { defineScript, orUnavailable } from './script.ts'
import {
  claimGroup,
  readLapsed,
  readReservedFor,
  releaseReservation,
  settleReservation,
} from './scripts/reservations.ts'
import { keepPeople, readExperiments, readQueue, removePeople, takeLead } from './scripts/waiting.ts'
import {
  type ClaimReply,
  claimOf,
  type KeepReply,
  pairs,
  placesIn,
  type QueueReply,
  reservationIn,
  viewOf,
} from './waiting-replies.ts'

const seconds = limits.waitingKeyTtlSeconds
const reservationKeys = [keys.reservations, keys.reservationsUntil]

/** In the order that the scripts expect. */
const queueKeys = (experimentId: string): string[] => [
  keys.waitingParticipants(experimentId),
  keys.waitingArrivals(experimentId),
  keys.waitingPresence(experimentId),
  keys.waitingPeople(experimentId),
  keys.waitingAssigned(experimentId),
  keys.waitingRecent(experimentId),
  keys.waitingExperiments,
]

/** The contract's set of waiting participants and our keys beside it (R28). Each change is one script. */
export function createRedisWaiting(redis: Redis): WaitingQueue {
  const keep = defineScript<KeepReply>(redis, 'atriumKeepPeople', keepPeople)
  const leave = defineScript<string[]>(redis, 'atriumRemovePeople', removePeople)
  const view = defineScript<QueueReply>(redis, 'atriumReadQueue', readQueue)
  const experiments = defineScript<string[]>(redis, 'atriumReadExperiments', readExperiments)
  const lead = defineScript<0 | 1>(redis, 'atriumTakeLead', takeLead)
  const claim = defineScript<ClaimReply>(redis, 'atriumClaimGroup', claimGroup)
  const settle = defineScript<null>(redis, 'atriumSettleReservation', settleReservation)
  const release = defineScript<null>(redis, 'atriumReleaseReservation', releaseReservation)
  const reservedFor = defineScript<string[]>(redis, 'atriumReadReservedFor', readReservedFor)
  const lapsed = defineScript<string[]>(redis, 'atriumReadLapsed', readLapsed)
  return {
    async keep(experimentId, people, presentUntil, now) {
      const settings = [
        ...[experimentId, seconds, now, presentUntil],
        ...[now - claimsForMs, now - recentArrivals.forMs, recentArrivals.atMost],
      ]
      const persons = people.flatMap((person) => [
        person.participantId,
        person.arrivedAt,
        JSON.stringify(person),
      ])
      return placesIn(await keep(queueKeys(experimentId), [...settings, ...persons]), people)
    },
    leave: (experimentId, participantIds) =>
      leave(queueKeys(experimentId), [experimentId, ...participantIds]),
    async forget(experimentId, participantId) {
      await leave(queueKeys(experimentId), [experimentId, participantId])
      await orUnavailable(async () => {
        await redis.zrem(keys.waitingRecent(experimentId), participantId)
        await redis.zrem(keys.waitingAssigned(experimentId), participantId)
      })
    },
    async view(experimentId, now) {
      const [, arrivals = '', presence = '', people = ''] = queueKeys(experimentId)
      return viewOf(await view([arrivals, presence, people], []), now)
    },
    experiments: () => experiments([keys.waitingExperiments], [keys.waitingArrivals('%s')]),
    async lead(experimentId, podId, forMs) {
      return (await lead([keys.waitingLeader(experimentId)], [podId, forMs])) === 1
    },
    claim: async (group, now, until) => claimOf(await claim(claimKeys(group), claimArgs(group, now, until))),
    async reservedFor(podId) {
      return (await reservedFor([keys.reservations, keys.podReserved(podId)], [])).map(reservationIn)
    },
    async lapsed(now) {
      return (await lapsed(reservationKeys, [now])).map(reservationIn)
    },
    async settle({ roomId, podId }) {
      await settle([...reservationKeys, keys.podReserved(podId)], [roomId])
    },
    async release({ roomId, podId, experimentId }, stillWaiting, presentUntil) {
      await release(
        [...queueKeys(experimentId), ...reservationKeys, keys.roomPod(roomId), keys.podReserved(podId)],
        [experimentId, seconds, podId, roomId, presentUntil, ...stillWaiting],
      )
    },
    arrivalsSince: (experimentId, since) =>
      orUnavailable(async () => {
        const key = keys.waitingRecent(experimentId)
        const flat = await redis.zrangebyscore(key, since, '+inf', 'WITHSCORES')
        return pairs(flat).map(([, at]) => Number(at))
      }),
  }
}

const claimKeys = ({ experimentId, roomId, podId }: Group): string[] => [
  ...queueKeys(experimentId),
  ...reservationKeys,
  keys.roomPod(roomId),
  keys.podLease(podId),
  keys.podRooms(podId),
  keys.podReserved(podId),
]

function claimArgs(group: Group, now: number, until: number): (string | number)[] {
  const { experimentId, roomId, podId, members, agents, match } = group
  const assignment: RoomAssignment = { podId, participantCount: members.length, assignedAt: now }
  const reservation: Reservation = {
    roomId,
    experimentId,
    podId,
    members,
    agents,
    until,
    ...(match && { match }),
  }
  return [
    ...[experimentId, seconds, now, until, roomId],
    ...[JSON.stringify(assignment), limits.podKeyTtlSeconds, JSON.stringify(reservation)],
    ...members.map(({ participantId }) => participantId),
  ]
}

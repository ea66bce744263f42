import { limits } from '@atrium/contract'
import { keys, PodHistory, PodLease, PodMetrics, RoomAssignment } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { PinnedRoom, PodDirectory, PodEntry } from '../../ports/pod-directory.ts'
import { defineScript, orUnavailable } from './script.ts'
import { holdRooms, pinRoom, readPods, renewPod, reportPod, sendRoom, unpinRoom } from './scripts/pods.ts'

const ttlSeconds = limits.podKeyTtlSeconds
const scanEveryMs = 1_000
/** Searching for other instances may take this share of the time, however many keys there are. */
const lookShare = 0.05

/**
 * The contract's keys of instances and rooms, which expire when their instance stops reporting (R28), plus our leases and
 * counts.
 */
export function createRedisPods(redis: Redis): PodDirectory {
  const report = defineScript<null>(redis, 'atriumReportPod', reportPod)
  const renew = defineScript<0 | 1>(redis, 'atriumRenewPod', renewPod)
  const read = defineScript<PodReply[]>(redis, 'atriumReadPods', readPods)
  const pin = defineScript<null>(redis, 'atriumPinRoom', pinRoom)
  const send = defineScript<string>(redis, 'atriumSendRoom', sendRoom)
  const unpin = defineScript<null>(redis, 'atriumUnpinRoom', unpinRoom)
  const hold = defineScript<string[]>(redis, 'atriumHoldRooms', holdRooms)
  return {
    async report(podId, metrics) {
      await report([keys.pods, keys.podMetrics(podId)], [podId, JSON.stringify(metrics), ttlSeconds])
      await orUnavailable(() => scanForPods(redis))
    },
    publishHistory: (podId, history) =>
      orUnavailable(async () => {
        await redis.set(keys.podHistory(podId), JSON.stringify(history), 'EX', ttlSeconds)
      }),
    histories: (podIds) =>
      orUnavailable(async () => {
        const texts = podIds.length > 0 ? await redis.mget(podIds.map(keys.podHistory)) : []
        return parsedByPod(PodHistory, podIds, texts)
      }),
    async renew(podId, lease, forMs) {
      return (await renew([keys.pods, keys.podLease(podId)], [podId, JSON.stringify(lease), forMs])) === 1
    },
    remove: (podId) =>
      orUnavailable(async () => {
        const ofPod = [keys.podMetrics, keys.podHistory, keys.podLease, keys.podRooms]
        await redis.del(ofPod.map((keyOf) => keyOf(podId)))
      }),
    async list() {
      const shapes = [keys.podMetrics, keys.podLease, keys.podRooms, keys.podReserved]
      return (
        await read(
          [keys.pods],
          shapes.map((keyOf) => keyOf('%s')),
        )
      ).flatMap(entryOf)
    },
    alive: () =>
      orUnavailable(async () => {
        const podIds = await redis.smembers(keys.pods)
        const texts = podIds.length > 0 ? await redis.mget(podIds.map(keys.podLease)) : []
        return parsedByPod(PodLease, podIds, texts)
      }),
    async pin(podId, room) {
      const { roomId, participantCount } = room
      await pin(
        [keys.roomPod(roomId), keys.podRooms(podId)],
        [podId, roomId, participantCount, assignmentOf(podId, room), ttlSeconds, keys.podRooms('%s')],
      )
    },
    send: (podId, room) =>
      send([keys.roomPod(room.roomId)], [podId, assignmentOf(podId, room), ttlSeconds, keys.podLease('%s')]),
    async unpin(podId, roomId) {
      await unpin([keys.roomPod(roomId), keys.podRooms(podId)], [podId, roomId])
    },
    async holds(podId, rooms) {
      return await hold(
        [keys.podRooms(podId), ...rooms.map(({ roomId }) => keys.roomPod(roomId))],
        [
          podId,
          ttlSeconds,
          ...rooms.flatMap((room) => [room.roomId, room.participantCount, assignmentOf(podId, room)]),
        ],
      )
    },
    find: (roomId) =>
      orUnavailable(async () => {
        // MGET instead of GET: a key of another type then counts as absent instead of failing.
        const [text] = await redis.mget(keys.roomPod(roomId))
        return parse(RoomAssignment, text) ?? undefined
      }),
  }
}

/**
 * The contract's keys are the truth, and others may write them. Finding them means scanning all keys, so one instance
 * does it for all when it reports, and the longer a scan takes the less often.
 */
async function scanForPods(redis: Redis): Promise<void> {
  const isOurTurn = await redis.set(keys.podsLookedFor, '', 'PX', scanEveryMs, 'NX')
  if (!isOurTurn) return
  const startedAt = performance.now()
  let cursor = '0'
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', keys.podMetricsPattern, 'COUNT', 1_000)
    if (found.length > 0) await redis.sadd(keys.pods, ...found.map(keys.podIdInMetrics))
    cursor = next
  } while (cursor !== '0')
  const restMs = Math.round((performance.now() - startedAt) / lookShare)
  if (restMs > scanEveryMs) await redis.set(keys.podsLookedFor, '', 'PX', restMs)
}

function assignmentOf(podId: string, { participantCount, assignedAt }: PinnedRoom): string {
  return JSON.stringify({ podId, participantCount, assignedAt } satisfies RoomAssignment)
}

type PodReply = [
  podId: string,
  metrics: string | null,
  lease: string | null,
  rooms: number,
  participants: number,
  soloRooms: number,
]

function entryOf([podId, metricsText, leaseText, rooms, participants, soloRooms]: PodReply): PodEntry[] {
  const [metrics, lease] = [parse(PodMetrics, metricsText), parse(PodLease, leaseText)]
  return metrics || lease ? [{ podId, metrics, lease, rooms, participants, soloRooms }] : []
}

function parsedByPod<Schema extends TSchema>(
  schema: Schema,
  podIds: readonly string[],
  texts: readonly (string | null)[],
): Map<string, Static<Schema>> {
  return new Map(
    podIds.flatMap((podId, index) => {
      const value = parse(schema, texts[index])
      return value === null ? [] : [[podId, value] as const]
    }),
  )
}

/** A key with anything else in it is ignored and must not hide the others. */
function parse<Schema extends TSchema>(
  schema: Schema,
  text: string | null | undefined,
): Static<Schema> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return Value.Check(schema, value) ? value : null
  } catch {
    return null
  }
}

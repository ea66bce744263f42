import { operationsRoutes, type RoomSummary, roomRoutes } from '@atrium/contract'
import { keys, PodMetrics } from '@atrium/coordination'
import { createApi, type Server, succeeded, type World } from '@atrium/testkit'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { readRows } from '../rooms/rows.ts'
import { type Bot, groupSize } from './capacity-bots.ts'

interface StoredRoom {
  roomId: string
  podId: string
  epoch: number
  dueAt: number | null
  restingSince: number | null
  isAwake: boolean
}

/** A deadline of a resting room. */
export interface Due {
  roomId: string
  restingSince: number
  dueAt: number
}

interface CountDeps {
  world: World
  token: string
  experimentIds: string[]
}

/** Compares every room count that the platform reports with what is stored. */
export function createCounts({ world, token, experimentIds }: CountDeps) {
  const redis = world.redis && new Redis(world.redis.url)
  async function stored(): Promise<StoredRoom[]> {
    const rows = await readRows(
      world,
      `select room_id, pod_id, epoch, due_at, ordinal, resting_since from rooms where closed_at is null order by room_id`,
    )
    return rows.map((row) => ({
      roomId: String(row.room_id),
      podId: String(row.pod_id),
      epoch: Number(row.epoch),
      dueAt: row.due_at === null ? null : Number(row.due_at),
      restingSince: row.resting_since === null ? null : Number(row.resting_since),
      isAwake: row.ordinal !== null && row.resting_since === null,
    }))
  }

  async function listed(): Promise<RoomSummary[]> {
    const rooms: RoomSummary[] = []
    const call = createApi(world.any().http).call
    for (const experimentId of experimentIds) {
      let before: string | null | undefined
      do {
        const query: Record<string, string> = { status: 'open', limit: '200', ...(before && { before }) }
        const answer = await call(roomRoutes.list, { token, params: { experimentId }, query })
        const page: { rooms: RoomSummary[]; next: string | null } = succeeded(answer)
        rooms.push(...page.rooms)
        before = page.next
      } while (before !== null)
    }
    return rooms
  }

  /** The counts that an instance and its Redis key report. */
  async function saidBy(server: Server) {
    const { call } = createApi(server.http)
    const { podId, rooms } = succeeded(await call(operationsRoutes.pod))
    const { places } = succeeded(await call(operationsRoutes.metrics))
    const scraped = await (await fetch(`${server.metrics}/metrics`)).text()
    const report: unknown = redis && JSON.parse((await redis.get(keys.podMetrics(podId))) ?? 'null')
    return {
      podId,
      places,
      counts: {
        'health/pod': rooms,
        app_active_rooms: Number(/^app_active_rooms (\d+)$/m.exec(scraped)?.[1]),
        places: places?.rooms,
        ...(redis && { activeRooms: Value.Check(PodMetrics, report) ? report.activeRooms : 'no report' }),
      },
    }
  }

  /** True if all counts agree between two identical reads of what is stored; otherwise what disagrees. */
  async function agree(bots: readonly Bot[]): Promise<true | string> {
    const before = await stored()
    const awake = before.filter(({ isAwake }) => isAwake)
    const rooms = await listed()
    const said = await Promise.all(world.servers.map(saidBy))
    const cluster = succeeded(await createApi(world.any().http).call(operationsRoutes.cluster))
    const states = await Promise.all(before.slice(-5).map(({ roomId }) => stateOf(roomId)))
    const after = await stored()
    if (JSON.stringify(after) !== JSON.stringify(before)) return 'rooms come and go'

    for (const { podId, counts } of said) {
      const expected = awake.filter((room) => room.podId === podId).length
      const inList = rooms.filter((room) => room.podId === podId && !room.resting).length
      const all = { ...counts, list: inList }
      if (Object.values(all).some((count) => count !== expected))
        return `${podId} has ${expected}, but ${JSON.stringify(all)}`
    }
    if (cluster.totalRooms !== awake.length) return `${awake.length} awake, cluster ${cluster.totalRooms}`
    for (const state of states) {
      const room = before.find(({ roomId }) => roomId === state.roomId)
      if (room && (state.resting !== !room.isAwake || state.podId !== (room.isAwake ? room.podId : null)))
        return `${state.roomId} says ${JSON.stringify([state.resting, state.podId])}`
    }
    return isFair(bots, awake, said)
  }

  /** R39: exactly the rooms with somebody in them are awake, and no group waits while a place is free. */
  function isFair(
    bots: readonly Bot[],
    awake: StoredRoom[],
    said: Awaited<ReturnType<typeof saidBy>>[],
  ): true | string {
    const peopled = new Set(bots.flatMap((bot) => bot.roomId() ?? []))
    const empty = awake.filter(({ roomId }) => !peopled.has(roomId))
    if (empty.length > 0) return `nobody is in ${empty.map(({ roomId }) => roomId).join()}`
    if (peopled.size !== awake.length)
      return `people are in ${peopled.size} rooms, but ${awake.length} are awake`
    const waiting = bots.filter(({ isWaiting }) => isWaiting).length
    const free = said.filter(
      ({ places }) =>
        places && places.rooms < places.maxRooms && places.participants + groupSize <= places.maxParticipants,
    )
    if (waiting >= groupSize && free.length > 0) return `${waiting} wait while ${free[0]?.podId} has a place`
    return true
  }

  async function stateOf(roomId: string) {
    const options = { token, params: { roomId } }
    return succeeded(await createApi(world.any().http).call(roomRoutes.state, options))
  }

  return {
    agree,
    awake: async () => (await stored()).filter(({ isAwake }) => isAwake).length,
    /** The current deadlines of resting rooms. */
    dues: async (): Promise<Due[]> =>
      (await stored()).flatMap(({ roomId, dueAt, restingSince }) =>
        restingSince === null || dueAt === null ? [] : [{ roomId, dueAt, restingSince }],
      ),
    stop: (): void => redis?.disconnect(),
  }
}

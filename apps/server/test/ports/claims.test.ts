import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { createRedisWaiting } from '../../src/adapters/redis/waiting-queue.ts'
import { describeBothAdapters, useRedis } from './both-adapters.ts'
import { experimentId, group, lease, person, type WaitingWorld, waitingWorlds } from './waiting-world.ts'

const now = 1_750_000_000_000
const later = now + 10_000
const until = now + 15_000
const longMs = 60_000

async function wait({ waiting }: WaitingWorld, ...participantIds: string[]): Promise<void> {
  const people = participantIds.map((id, index) => person(id, now - 1_000 + index))
  await waiting.keep(experimentId, people, later, now)
}

describeBothAdapters('claims', waitingWorlds, (create) => {
  async function worldWith(...participantIds: string[]): Promise<WaitingWorld> {
    const world = await create()
    await wait(world, ...participantIds)
    await world.pods.renew('pod-a', lease, longMs)
    return world
  }
  const loadOf = async ({ pods }: WaitingWorld, podId = 'pod-a') => {
    const pod = (await pods.list()).find((one) => one.podId === podId)
    return [pod?.rooms, pod?.participants]
  }
  /** A refused claim changes nothing. */
  const everything = async (world: WaitingWorld) => ({
    view: await world.waiting.view(experimentId, now),
    members: await world.members(experimentId),
    pods: await world.pods.list(),
    reserved: await world.waiting.reservedFor('pod-a'),
    room: await world.pods.find('room-1'),
  })

  test('[W7] [M29] a claim atomically removes the people, assigns the room to the pod and reserves capacity', async () => {
    const world = await worldWith('a', 'b', 'c')
    const match = { search: 'full' as const, waiting: 3, considered: 3, passedOver: 1 }
    const claimed = {
      ...group('room-1', ['c', 'a']),
      agents: [{ role: 'helper' }],
      match: { ...match, waitedMs: [997, 999], parts: null },
    }
    expect(await world.waiting.claim(claimed, now, until)).toEqual({ kind: 'claimed' })
    expect(await world.members(experimentId)).toEqual(['b'])
    expect((await world.waiting.view(experimentId, now)).people).toEqual([person('b', now - 999)])
    expect(await world.pods.find('room-1')).toEqual({
      podId: 'pod-a',
      participantCount: 2,
      assignedAt: now,
    })
    expect(await loadOf(world)).toEqual([1, 2])
    expect(await world.waiting.reservedFor('pod-a')).toEqual([{ ...claimed, until }])
    expect(await world.waiting.reservedFor('pod-b')).toEqual([])
  })

  test('claimed people are not added again by a late report that they wait', async () => {
    const world = await worldWith('a', 'b', 'c')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    expect(await world.waiting.keep(experimentId, [person('a', now), person('c', now)], later, now)).toEqual({
      places: [
        { participantId: 'a', position: null },
        { participantId: 'c', position: 1, arrivedAt: now - 998 },
      ],
      waiting: 1,
    })
    await world.waiting.settle(group('room-1', ['a', 'b']))
    await world.waiting.keep(experimentId, [person('a', now)], later, now)
    expect(await world.members(experimentId)).toEqual(['c'])
    expect(await world.waiting.leave(experimentId, ['a'])).toEqual([])
  })

  test('a day later they may wait again', async () => {
    const world = await worldWith('a', 'b')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    await world.waiting.settle(group('room-1', ['a', 'b']))
    const nextDay = now + 86_400_000
    const { waiting } = await world.waiting.keep(experimentId, [person('a', nextDay)], nextDay, nextDay)
    expect(waiting).toBe(1)
  })

  test('[W7] a claim of people who are gone, absent or claimed is refused and names them', async () => {
    const world = await worldWith('a', 'b', 'c')
    await world.waiting.keep(experimentId, [person('ghost', now - 5_000)], now - 1, now)
    await world.waiting.leave(experimentId, ['b'])
    const before = await everything(world)
    expect(await world.waiting.claim(group('room-1', ['a', 'b', 'ghost', 'unknown']), now, until)).toEqual({
      kind: 'people_gone',
      participantIds: ['b', 'ghost', 'unknown'],
    })
    expect(await everything(world)).toEqual(before)
    expect(await world.waiting.claim(group('room-1', ['a']), now, until)).toEqual({ kind: 'claimed' })
    expect(await world.waiting.claim(group('room-2', ['a', 'c']), now, until)).toEqual({
      kind: 'people_gone',
      participantIds: ['a'],
    })
  })

  test('presence lasts until its very last millisecond', async () => {
    const world = await worldWith('a', 'b')
    const atTheEnd = await world.waiting.claim(group('room-1', ['a']), later, until)
    const after = await world.waiting.claim(group('room-2', ['b']), later + 1, until)
    expect([atTheEnd.kind, after.kind]).toEqual(['claimed', 'people_gone'])
  })

  test('[P1,P6,W7] a claim is refused for a pod that is unknown, draining or dead', async () => {
    const world = await worldWith('a', 'b')
    await world.pods.renew('pod-draining', { ...lease, draining: true }, longMs)
    await world.pods.renew('pod-dead', lease, 20)
    await waitUntil(
      async () => !(await world.pods.list()).some(({ podId }) => podId === 'pod-dead') || 'it lives',
    )
    const before = await everything(world)
    for (const podId of ['pod-unknown', 'pod-draining', 'pod-dead'])
      expect(await world.waiting.claim(group('room-1', ['a', 'b'], podId), now, until)).toEqual({
        kind: 'pod_unfit',
      })
    expect(await everything(world)).toEqual(before)
  })

  test('[P2,P6,W7] reservations count against the limits of the pod', async () => {
    const world = await worldWith('a', 'b', 'c', 'd', 'e', 'f')
    const claim = async (roomId: string, ids: string[]) =>
      (await world.waiting.claim(group(roomId, ids), now, until)).kind
    await world.pods.renew('pod-a', { ...lease, maxRooms: 2, maxParticipants: 5 }, longMs)
    expect(await claim('room-1', ['a', 'b', 'c'])).toBe('claimed')
    expect(await claim('room-2', ['d', 'e', 'f'])).toBe('pod_unfit')
    expect(await claim('room-2', ['d', 'e'])).toBe('claimed')
    await world.pods.renew('pod-a', { ...lease, maxRooms: 2 }, longMs)
    expect(await claim('room-3', ['f'])).toBe('pod_unfit')
    await world.waiting.settle(group('room-1', []))
    expect(await claim('room-3', ['f'])).toBe('claimed')
  })

  test('[P2] a room that is created but not yet settled counts once', async () => {
    const world = await worldWith('a', 'b')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    const room = { roomId: 'room-1', participantCount: 2, assignedAt: now }
    await world.pods.pin('pod-a', room)
    expect(await loadOf(world)).toEqual([1, 2])
    await world.pods.holds('pod-a', [room])
    await world.pods.holds('pod-a', [])
    expect(await loadOf(world)).toEqual([1, 2])
    await world.pods.pin('pod-a', room)
    await world.waiting.settle(group('room-1', ['a', 'b']))
    expect(await loadOf(world)).toEqual([1, 2])
    await world.pods.unpin('pod-a', 'room-1')
    expect(await loadOf(world)).toEqual([0, 0])
  })

  test('[W7] a claim is refused for a room that already exists', async () => {
    const world = await worldWith('a', 'b')
    await world.pods.pin('pod-b', { roomId: 'room-1', participantCount: 2, assignedAt: 5 })
    const before = await everything(world)
    expect(await world.waiting.claim(group('room-1', ['a', 'b']), now, until)).toEqual({
      kind: 'room_exists',
    })
    expect(await everything(world)).toEqual(before)
  })

  test('[W9] when claiming and leaving race, exactly one succeeds, even with many at once', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `p-${at}`)
    const world = await worldWith(...ids)
    await world.pods.renew('pod-a', { ...lease, maxRooms: 100, maxParticipants: 100 }, longMs)
    const outcomes = await Promise.all(
      ids.map(async (id, at) => {
        const claim = world.waiting.claim(group(`room-${at}`, [id]), now, until)
        const left = world.waiting.leave(experimentId, [id])
        return [(await claim).kind === 'claimed', (await left).length === 1]
      }),
    )
    for (const [isClaimed, hasLeft] of outcomes) expect(isClaimed).toBe(!hasLeft)
  })

  test('once settled, nothing is reserved or lapses any more, and the room stays where it is', async () => {
    const world = await worldWith('a', 'b')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    await world.waiting.settle(group('room-1', ['a', 'b']))
    expect(await world.waiting.reservedFor('pod-a')).toEqual([])
    expect(await world.waiting.lapsed(until + 1)).toEqual([])
    expect(await world.pods.find('room-1')).toMatchObject({ podId: 'pod-a' })
    await world.waiting.release(group('room-1', ['a', 'b']), ['a', 'b'], later)
    expect(await world.members(experimentId)).toEqual([])
    expect(await world.pods.find('room-1')).toMatchObject({ podId: 'pod-a' })
  })

  test('[W8] a reservation lapses when its time is up', async () => {
    const world = await worldWith('a', 'b', 'c')
    await world.waiting.claim(group('room-1', ['a']), now, until)
    await world.waiting.claim(group('room-2', ['b']), now, until + 1)
    await world.waiting.claim(group('room-3', ['c']), now, until + 2)
    expect(await world.waiting.lapsed(until)).toEqual([])
    const lapsed = await world.waiting.lapsed(until + 2)
    expect(lapsed.map(({ roomId }) => roomId).sort()).toEqual(['room-1', 'room-2'])
    expect(lapsed).toContainEqual({ ...group('room-2', ['b']), until: until + 1 })
  })

  test('[W8] released people wait again at their old position with the same data; the others do not', async () => {
    const world = await worldWith('a', 'b', 'c', 'd')
    const plain = { ...person('plain', now - 2_000), attributes: {} }
    await world.waiting.keep(experimentId, [plain], later, now)
    const claimed = group('room-1', ['a', 'c', 'plain', 'd'])
    await world.waiting.claim(claimed, now, until)
    await world.waiting.release(claimed, ['c', 'plain', 'stranger'], later + 5)
    expect(await world.waiting.view(experimentId, later + 1)).toEqual({
      people: [plain, person('c', now - 998)],
      absent: ['b'],
    })
    expect(await world.members(experimentId)).toEqual(['b', 'c', 'plain'])
    expect(await loadOf(world)).toEqual([0, 0])
    expect(await world.pods.find('room-1')).toBeUndefined()
    expect(await world.waiting.reservedFor('pod-a')).toEqual([])
    expect(await world.waiting.lapsed(until + 1)).toEqual([])
    // There is no room for them either, so they can wait again.
    const { places } = await world.waiting.keep(experimentId, [person('a', later)], later + 5, later)
    expect(places).toEqual([{ participantId: 'a', position: 4, arrivedAt: later }])
  })

  test('a second release changes nothing', async () => {
    const world = await worldWith('a', 'b')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    await world.waiting.release(group('room-1', ['a', 'b']), ['a', 'b'], later)
    await world.waiting.claim(group('room-2', ['a', 'b']), now, until)
    const before = await everything(world)
    await world.waiting.release(group('room-1', ['a', 'b']), ['a', 'b'], later)
    expect(await everything(world)).toEqual(before)
    expect(before.members).toEqual([])
  })

  test('a release leaves the room with another pod that has taken it meanwhile', async () => {
    const world = await worldWith('a', 'b')
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    await world.pods.pin('pod-b', { roomId: 'room-1', participantCount: 2, assignedAt: now })
    await world.waiting.release(group('room-1', ['a', 'b']), [], later)
    expect(await world.pods.find('room-1')).toMatchObject({ podId: 'pod-b' })
  })
})

describe('waiting queue over Redis', () => {
  const redis = useRedis()

  test('[R28] the waiting set and the room key match the contract, and every key expires', async () => {
    const client = await redis.connect()
    const world = await waitingWorlds.redis(async () => client)
    await wait(world, 'a', 'b', 'c')
    await world.pods.renew('pod-a', lease, longMs)
    await world.waiting.claim(group('room-1', ['a', 'b']), now, until)
    expect(await client.smembers(`waiting:${experimentId}:participants`)).toEqual(['c'])
    expect(JSON.parse((await client.get('room:room-1:pod')) ?? '')).toEqual({
      podId: 'pod-a',
      participantCount: 2,
      assignedAt: now,
    })
    const day = 86_400
    for (const key of await client.keys('*')) {
      const ttl = await client.ttl(key)
      if (key === 'room:room-1:pod') expect(ttl).toBeLessThanOrEqual(180)
      else if (key !== 'pods') expect(ttl, key).toBeLessThanOrEqual(day)
      if (key.startsWith('waiting:')) {
        expect(ttl, key).toBeGreaterThan(day - 60)
        await client.expire(key, 5)
      } else if (key !== 'pods') expect(ttl, key).toBeGreaterThan(0)
    }
    await wait(world, 'c')
    for (const key of await client.keys('waiting:*'))
      expect(await client.ttl(key), key).toBeGreaterThan(day - 60)
  })

  test('an experiment whose queue has expired is no longer listed', async () => {
    const client = await redis.connect()
    const world = await waitingWorlds.redis(async () => client)
    await wait(world, 'a')
    await client.del(...(await client.keys(`waiting:${experimentId}:*`)))
    expect(await world.waiting.experiments()).toEqual([])
    expect(await client.exists('waiting:experiments')).toBe(0)
  })

  test('a malformed lease does not count', async () => {
    const client = await redis.connect()
    const world = await waitingWorlds.redis(async () => client)
    await wait(world, 'a')
    for (const rubbish of ['', '{', '7', '[]', '"text"', '{"draining":false}', 'null']) {
      await client.set('pod:pod-a:lease', rubbish)
      expect(await world.waiting.claim(group('room-1', ['a']), now, until)).toEqual({ kind: 'pod_unfit' })
    }
  })

  test('[R9] without Redis it reports UNAVAILABLE, and works again when Redis is back', async () => {
    const waiting = createRedisWaiting(await redis.connect())
    await redis.program().kill()
    const refused = { code: 'UNAVAILABLE' }
    await expect(waiting.view(experimentId, now)).rejects.toMatchObject(refused)
    await expect(waiting.claim(group('room-1', ['a']), now, until)).rejects.toMatchObject(refused)
    await expect(waiting.arrivalsSince(experimentId, now)).rejects.toMatchObject(refused)
    await redis.program().restart()
    await waitUntil(async () => (await waiting.lead(experimentId, 'pod-a', 10)) || 'another leads')
    expect(await waiting.view(experimentId, now)).toEqual({ people: [], absent: [] })
  })
})

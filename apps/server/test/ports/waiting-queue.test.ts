import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeBothAdapters } from './both-adapters.ts'
import {
  experimentId,
  group,
  keepCrowd,
  lease,
  person,
  type WaitingWorld,
  waitingWorlds,
} from './waiting-world.ts'

const now = 1_750_000_000_000
const later = now + 10_000
const longMs = 60_000

describeBothAdapters('waiting queue', waitingWorlds, (create) => {
  /** People who wait, in this order. */
  async function worldWith(...participantIds: string[]): Promise<WaitingWorld> {
    const world = await create()
    const people = participantIds.map((id, index) => person(id, now - 1_000 + index))
    await world.waiting.keep(experimentId, people, later, now)
    await world.pods.renew('pod-a', lease, longMs)
    return world
  }
  const present = async ({ waiting }: WaitingWorld, at = now) =>
    (await waiting.view(experimentId, at)).people.map(({ participantId }) => participantId)

  test('people are listed by arrival, simultaneous ones by id, each with their data', async () => {
    const { waiting, members } = await create()
    const people = [person('c', now), person('b', now - 5), person('a', now), person('d', now - 7)]
    await waiting.keep(experimentId, people, later, now)
    expect(await waiting.view(experimentId, now)).toEqual({
      people: [person('d', now - 7), person('b', now - 5), person('a', now), person('c', now)],
      absent: [],
    })
    expect(await members(experimentId)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('the data of people comes back unchanged', async () => {
    const { waiting } = await create()
    const strange = { ...person('p "1" %s ü 👋', now), role: 'a/b\\', attributes: {}, revision: 0 }
    const other = { ...person('p2', now + 1), attributes: { list: '[]', empty: '', tiny: 1e-7 } }
    await waiting.keep(experimentId, [strange, other], later, now)
    expect((await waiting.view(experimentId, now)).people).toEqual([strange, other])
  })

  test('keep returns, in the order asked, the position among those present and their number', async () => {
    const { waiting } = await create()
    await waiting.keep(experimentId, [person('ghost', now - 100)], now - 1, now)
    expect(
      await waiting.keep(experimentId, [person('b', now - 20), person('a', now - 30)], later, now),
    ).toEqual({
      places: [
        { participantId: 'b', position: 2, arrivedAt: now - 20 },
        { participantId: 'a', position: 1, arrivedAt: now - 30 },
      ],
      waiting: 2,
    })
    expect(await waiting.keep(experimentId, [], later, now)).toEqual({ places: [], waiting: 2 })
    expect(await waiting.keep('exp-other', [], later, now)).toEqual({ places: [], waiting: 0 })
  })

  test('positions are right among many absent people', async () => {
    const { waiting } = await create()
    const everyone = Array.from({ length: 60 }, (_, at) => person(`p-${at}`, now - 100 + at))
    const [here, away] = [everyone.filter((_, at) => at % 3 === 0), everyone.filter((_, at) => at % 3 !== 0)]
    await waiting.keep(experimentId, away, now - 1, now)
    const { places, waiting: count } = await waiting.keep(experimentId, here, later, now)
    expect(places.map(({ position }) => position)).toEqual(here.map((_, at) => at + 1))
    expect(count).toBe(20)
  })

  test('[W2] people who already wait keep their arrival time; their other data is the newest', async () => {
    const { waiting } = await worldWith('a', 'b')
    const again = { ...person('a', now + 500), role: 'seller' }
    const { places } = await waiting.keep(experimentId, [again], later, now)
    expect(places).toEqual([{ participantId: 'a', position: 1, arrivedAt: now - 1_000 }])
    expect((await waiting.view(experimentId, now)).people[0]).toEqual({ ...again, arrivedAt: now - 1_000 })
  })

  test('[W1] people whose presence expires become absent, and regain their position when renewed', async () => {
    const world = await worldWith('a', 'b')
    expect(await present(world, later)).toEqual(['a', 'b'])
    await world.waiting.keep(experimentId, [person('b', now)], later + 1, now)
    expect(await world.waiting.view(experimentId, later + 1)).toMatchObject({
      people: [{ participantId: 'b' }],
      absent: ['a'],
    })
    expect(await world.members(experimentId)).toEqual(['a', 'b'])
    await world.waiting.keep(experimentId, [person('a', later)], later + 1, later)
    expect(await present(world, later + 1)).toEqual(['a', 'b'])
  })

  test('leaving removes people and returns those who were waiting', async () => {
    const world = await worldWith('a', 'b', 'c')
    expect((await world.waiting.leave(experimentId, ['b', 'unknown', 'a'])).sort()).toEqual(['a', 'b'])
    expect(await world.waiting.leave(experimentId, ['a'])).toEqual([])
    expect(await world.waiting.leave(experimentId, [])).toEqual([])
    expect(await present(world)).toEqual(['c'])
    expect(await world.members(experimentId)).toEqual(['c'])
  })

  test('experiments are listed as long as somebody waits', async () => {
    const { waiting, pods } = await worldWith('a', 'b')
    await waiting.keep('exp-2', [person('x', now)], later, now)
    await waiting.keep('exp-3', [], later, now)
    expect((await waiting.experiments()).sort()).toEqual([experimentId, 'exp-2'])
    await waiting.leave('exp-2', ['x'])
    await pods.renew('pod-a', lease, longMs)
    await waiting.claim(group('room-1', ['a', 'b']), now, later)
    expect(await waiting.experiments()).toEqual([])
    await waiting.release(group('room-1', ['a', 'b']), ['a'], later)
    expect(await waiting.experiments()).toEqual([experimentId])
  })

  test('[W6] there is one leader at a time, for as long as it requests', async () => {
    const { waiting } = await create()
    expect(await waiting.lead(experimentId, 'pod-a', longMs)).toBe(true)
    expect(await waiting.lead(experimentId, 'pod-b', longMs)).toBe(false)
    expect(await waiting.lead('exp-2', 'pod-b', longMs)).toBe(true)
    expect(await waiting.lead(experimentId, 'pod-a', 20)).toBe(true)
    await waitUntil(async () => (await waiting.lead(experimentId, 'pod-b', longMs)) || 'pod-a still leads')
    expect(await waiting.lead(experimentId, 'pod-a', longMs)).toBe(false)
  })

  test('arrivals since a given time are listed, newest last, each person once, for the last hour', async () => {
    const { waiting } = await create()
    const arrive = (id: string, at: number) => waiting.keep(experimentId, [person(id, at)], later, at)
    await arrive('b', now - 20)
    await arrive('c', now - 10)
    await arrive('a', now - 30)
    await waiting.leave(experimentId, ['c'])
    expect(await waiting.arrivalsSince(experimentId, now - 60_000)).toEqual([now - 30, now - 20, now - 10])
    expect(await waiting.arrivalsSince(experimentId, now - 20)).toEqual([now - 20, now - 10])
    await arrive('b', now)
    await arrive('c', now)
    expect(await waiting.arrivalsSince(experimentId, 0)).toEqual([now - 30, now - 20, now])
    await arrive('d', now + 3_600_000)
    expect(await waiting.arrivalsSince(experimentId, 0)).toEqual([now, now + 3_600_000])
  })

  test('only the newest of very many arrivals are kept', async () => {
    const { waiting } = await create()
    const crowd = Array.from({ length: 1_200 }, (_, at) => person(`p-${at}`, now - 1_200 + at))
    await keepCrowd(waiting, crowd, later, now)
    expect(await waiting.arrivalsSince(experimentId, 0)).toEqual(
      crowd.slice(200).map(({ arrivedAt }) => arrivedAt),
    )
    expect((await waiting.view(experimentId, now)).people).toHaveLength(1_200)
  })
})

import type { Conditions } from '@atrium/contract'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { completeRequest, joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'

const states = ['a', 'b', 'c'].map((id) => ({ id, components: [] }))
const factors = { frame: ['gain', 'loss'], source: ['human', 'machine'] }

const sizesOf = (names: readonly (string | null | undefined)[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(names, (name) => `${name}`)]
      .map(([name, same]): [string, number] => [name, same.length])
      .sort(),
  )

describeOnBothEngines('assigned conditions', (engine) => {
  async function study(conditions: Conditions, more = {}) {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database, { conditions, states, ...more })
    /** Somebody joins and enters their room. */
    async function begin(metadata: Record<string, unknown> = {}) {
      const session = await joined(database, experimentId, { metadata })
      const room = await database.rooms.claim(session.roomId ?? '', 'pod-0', 'seed')
      return { ...session, condition: room?.assignment?.condition, isFull: room?.assignment?.isFull ?? false }
    }
    async function beginPair(number: number) {
      const people = []
      for (let person = 0; person < 2; person++)
        people.push(await joined(database, experimentId, { soloRoom: false }))
      const roomId = `room_${experimentId}_${number}`
      const members = people.map(({ participantId }) => ({ participantId, role: null }))
      await database.rooms.create({ roomId, experimentId, podId: 'p', members, agents: [], now: startOfTime })
      return (await database.rooms.claim(roomId, 'pod-0', 'seed'))?.assignment
    }
    return { database, rows, experimentId, begin, beginPair }
  }

  test('[RM206,F68] people who enter at the same moment never exceed a quota', async () => {
    const { begin } = await study({
      factors,
      quotas: { 'gain×human': 2, 'gain×machine': 3, 'loss×human': 4, 'loss×machine': 5 },
    })
    const people = await Promise.all(Array.from({ length: 30 }, () => begin()))
    expect(sizesOf(people.map(({ condition }) => condition))).toEqual({
      'gain×human': 2,
      'gain×machine': 3,
      'loss×human': 4,
      'loss×machine': 5,
      null: 16,
    })
    expect(people.filter(({ isFull }) => isFull)).toHaveLength(16)
  })

  test('[RM206,R89] with `completed`, the place of somebody who does not complete is given to the next', async () => {
    const { database, begin } = await study({ values: ['x'], quotas: { x: 2 }, balance: 'completed' })
    const [first] = [await begin(), await begin()]
    expect(await begin()).toMatchObject({ isFull: true })
    await database.sessions.complete(completeRequest(first.sessionId, { outcome: 'ABANDONED' }))
    expect(await begin()).toMatchObject({ condition: 'x' })
    expect(await begin()).toMatchObject({ isFull: true })
  })

  test('[RM205] people of one group have conditions of their own, which are listed with them', async () => {
    const { database, experimentId, beginPair, rows } = await study(
      { factors, per: 'participant' },
      { matching: { groupSize: 2 } },
    )
    const rooms = []
    for (let number = 0; number < 4; number++) rooms.push(await beginPair(number))
    expect(sizesOf(rooms.flatMap((room) => room?.conditions ?? []))).toEqual({
      'gain×human': 2,
      'gain×machine': 2,
      'loss×human': 2,
      'loss×machine': 2,
    })
    expect(
      await rows(`select distinct condition from rooms where experiment_id = '${experimentId}'`),
    ).toEqual([{ condition: null }])
    const listed = await database.experiments.people({
      ...{ experimentId, after: null, limit: 50, status: null, outcome: null, revision: null },
      condition: 'loss×human',
    })
    expect(listed.map(({ condition }) => condition)).toEqual(['loss×human', 'loss×human'])
  })

  test('[RM207,RM206] conditions that are assigned later are balanced by variables, within quotas, once for each person', async () => {
    const { database, begin, experimentId, rows } = await study(
      { values: ['x', 'y'], strata: ['age', 'gender'], quotas: { x: 4, y: 4 }, balance: 'completed' },
      {
        variables: { age: { scope: 'participant' } },
        blocks: [{ id: 'games', states: ['a', 'b'], order: 'latin_square' }],
      },
    )
    const people = []
    for (let number = 0; number < 10; number++)
      people.push({ age: number % 2, ...(await begin({ gender: 'f' })) })
    expect(people.every(({ condition }) => condition === null)).toBe(true)
    const assign = ({ participantId, age }: { participantId: string; age: number }) =>
      database.rooms.assignCondition({ experimentId, revision: 1, participantId, strata: { age } })
    const conditions = await Promise.all(people.map(assign))
    expect(sizesOf(conditions)).toEqual({ null: 2, x: 4, y: 4 })
    const again = await Promise.all(people.map(assign))
    expect(again).toEqual(conditions)
    const counted = await rows(
      `select cell, people from assignment_counts where experiment_id = '${experimentId}' and cell like '~%'`,
    )
    expect(counted.reduce((sum, { people }) => sum + Number(people), 0)).toBe(8)
    const [first] = people.filter((_, index) => conditions[index] === 'x')
    await database.sessions.complete(completeRequest(first?.sessionId ?? '', { outcome: 'ABANDONED' }))
    const [waiting] = people.filter((_, index) => conditions[index] === null)
    expect(waiting && (await assign(waiting))).toBe('x')
  })

  test('[RM207,F69] conditions are balanced among people whose link says the same', async () => {
    const { begin, rows, experimentId } = await study({ values: ['x', 'y'], strata: ['gender'] })
    const genders = ['f', 'm', 'f', 'f', 'm', 'f', 'f', 'm', 'f', 'm']
    const people = []
    for (const gender of genders) people.push({ gender, ...(await begin({ gender, other: people.length })) })
    people.push({ gender: 'none', ...(await begin()) }, { gender: 'none', ...(await begin({ other: 1 })) })
    for (const [gender, each] of [
      ['f', 3],
      ['m', 2],
      ['none', 1],
    ] as const) {
      const same = people.filter((one) => one.gender === gender)
      expect(sizesOf(same.map(({ condition }) => condition))).toEqual({ x: each, y: each })
    }
    const cells = await rows(`select cells from assignments where experiment_id = '${experimentId}'`)
    expect(new Set(cells.map(({ cells }) => `${cells}`.slice(0, 12))).size).toBe(3)
    expect(JSON.stringify(cells)).not.toContain('"f"')
  })
})

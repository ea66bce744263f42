import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { AppError } from '../../kernel/app-error.ts'
import { createGroupCommit } from './group-commit.ts'

/** Waits by turns of the event queue: latencies without a clock, so that runs repeat exactly. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

const anItem = fc.record({ pause: fc.nat(6), owner: fc.nat(3), weight: fc.nat(15), isGuilty: fc.boolean() })
const aCommit = fc.record({ turns: fc.nat(12), isAway: fc.boolean() })

/** What is stored of each owner, in the order in which it was. */
const byOwner = (items: Item[], stored: number[]): number[][] =>
  Object.values(Object.groupBy(stored, (index) => items[index]?.owner ?? 0)).map((own) => own ?? [])
const inOrder = (indices: number[]): number[] => indices.toSorted((one, other) => one - other)

const limits = fc.record({
  mostItems: fc.integer({ min: 1, max: 5 }),
  mostWeight: fc.integer({ min: 1, max: 20 }),
  mostUnderWay: fc.integer({ min: 1, max: 3 }),
})

interface Item {
  pause: number
  owner: number
  weight: number
  isGuilty: boolean
}

type Step = { turns: number; isAway: boolean }

/** Puts everything through a store that refuses the guilty items and is away now and then. */
async function putThrough(
  items: Item[],
  plan: Step[],
  { mostItems, mostWeight, mostUnderWay }: { mostItems: number; mostWeight: number; mostUnderWay: number },
) {
  const groups: number[][] = []
  const stored: number[] = []
  let underWay = 0
  let succeeded = 0
  const commits = createGroupCommit(
    async (group: number[]) => {
      expect(++underWay).toBeLessThanOrEqual(mostUnderWay)
      const step = plan[groups.length % plan.length]
      groups.push(group)
      await turns(step?.turns ?? 0)
      underWay--
      if (step?.isAway) throw new AppError('UNAVAILABLE')
      if (group.some((index) => items[index]?.isGuilty)) throw new Error('refused')
      succeeded++
      stored.push(...group)
      return group.map((index) => `stored ${index}`)
    },
    {
      mostItems,
      mostWeight,
      mostUnderWay,
      weightOf: (index) => items[index]?.weight ?? 0,
      ownerOf: (index) => `${items[index]?.owner}`,
    },
  )
  const settled: string[][] = items.map(() => [])
  for (const [index, { pause }] of items.entries()) {
    await turns(pause)
    commits.add(index).then(
      (outcome) => settled[index]?.push(outcome),
      (error: Error) => settled[index]?.push(error instanceof AppError ? error.code : error.message),
    )
  }
  await commits.drain()
  await turns(2)
  expect(commits.commits()).toBe(succeeded)
  return { groups, settled, stored }
}

test('[R18] every caller settles exactly once, whatever the store does, and what is said to be stored is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 1, maxLength: 40 }),
      fc.array(aCommit, { minLength: 1 }),
      limits,
      async (items, plan, most) => {
        const { groups, settled, stored } = await putThrough(items, plan, most)
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(most.mostItems)
          const weight = group.reduce((sum, index) => sum + (items[index]?.weight ?? 0), 0)
          if (group.length > 1) expect(weight).toBeLessThanOrEqual(most.mostWeight)
        }
        expect(new Set(stored).size).toBe(stored.length)
        for (const [index, { isGuilty }] of items.entries()) {
          const failures = isGuilty ? ['UNAVAILABLE', 'refused'] : ['UNAVAILABLE']
          expect(settled[index]).toHaveLength(1)
          expect(stored.includes(index) ? [`stored ${index}`] : failures).toContain(settled[index]?.[0])
        }
        if (most.mostUnderWay === 1) expect(stored).toEqual(inOrder(stored))
        for (const own of byOwner(items, stored)) expect(own).toEqual(inOrder(own))
      },
    ),
    { ...seeded, numRuns: 300 },
  )
})

test('[R40] of a group that the store refuses exactly the guilty items fail; everyone keeps their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 1, maxLength: 40 }),
      fc.array(
        aCommit.map((step) => ({ ...step, isAway: false })),
        { minLength: 1 },
      ),
      limits,
      async (items, plan, most) => {
        const { settled, stored } = await putThrough(items, plan, most)
        expect(settled.flat()).toEqual(
          items.map(({ isGuilty }, index) => (isGuilty ? 'refused' : `stored ${index}`)),
        )
        const sound = items.flatMap(({ isGuilty }, index) => (isGuilty ? [] : [index]))
        expect(inOrder(stored)).toEqual(sound)
        if (most.mostUnderWay === 1) expect(stored).toEqual(sound)
        for (const own of byOwner(items, stored)) expect(own).toEqual(inOrder(own))
      },
    ),
    { ...seeded, numRuns: 300 },
  )
})

test('[R40] one guilty item among many is found in few commits', async () => {
  // While the first is written, all the others gather.
  const items = Array.from({ length: 256 }, (_, index) => ({
    pause: 0,
    owner: index,
    weight: 0,
    isGuilty: index === 100,
  }))
  const most = { mostItems: 256, mostWeight: 1, mostUnderWay: 1 }
  const { groups, settled } = await putThrough(items, [{ turns: 2_000, isAway: false }], most)
  expect(settled.filter(([outcome]) => outcome === 'refused')).toHaveLength(1)
  expect(groups.length).toBeLessThanOrEqual(20)
})

test('what arrives while a group is written gathers into the next one', async () => {
  const groups: number[][] = []
  const commits = createGroupCommit(
    async (group: number[]) => {
      groups.push(group)
      await turns(5)
      return group
    },
    { mostItems: 128 },
  )
  await Promise.all([1, 2, 3, 4].map((item) => commits.add(item)))
  expect(groups).toEqual([[1], [2, 3, 4]])
})

test('only a full group is sent ahead of an acknowledgement', async () => {
  const groups: number[][] = []
  const acknowledge: (() => void)[] = []
  const commits = createGroupCommit(
    async (group: number[]) => {
      groups.push(group)
      await new Promise<void>((done) => acknowledge.push(done))
      return group
    },
    { mostItems: 2, mostUnderWay: 2 },
  )
  const added = [1, 2].map((item) => commits.add(item))
  expect(groups).toEqual([[1]])
  added.push(...[3, 4, 5].map((item) => commits.add(item)))
  expect(groups).toEqual([[1], [2, 3]])
  acknowledge[0]?.()
  await turns(5)
  expect(groups).toEqual([[1], [2, 3], [4, 5]])
  for (const done of acknowledge) done()
  expect(await Promise.all(added)).toEqual([1, 2, 3, 4, 5])
})

test('a drain of nothing is done at once', async () => {
  const commits = createGroupCommit(async (group: number[]) => group, { mostItems: 1 })
  await commits.drain()
  expect(commits.commits()).toBe(0)
})

test('[R40] a group that holds more of somebody whose items are with the store is not sent ahead', async () => {
  const groups: string[][] = []
  const settle: ((isRefused: boolean) => void)[] = []
  const commits = createGroupCommit(
    async (group: string[]) => {
      groups.push(group)
      const isRefused = await new Promise<boolean>((done) => settle.push(done))
      if (isRefused) throw new Error('refused')
      return group
    },
    { mostItems: 2, mostUnderWay: 2, ownerOf: (item) => item.slice(0, 1) },
  )
  const added = ['x1', 'a1', 'b1', 'c1', 'a2', 'd1', 'e1'].map((item) => commits.add(item))
  expect(groups).toEqual([['x1'], ['a1', 'b1']])
  settle[0]?.(false)
  await turns(5)
  // The next one has the second of a, whose first is not stored yet.
  settle[1]?.(true)
  await turns(5)
  expect(groups.slice(2)).toEqual([['a1']])
  settle[2]?.(false)
  await turns(5)
  expect(groups.slice(3)).toEqual([['b1']])
  settle[3]?.(false)
  await turns(5)
  expect(groups.slice(4)).toEqual([
    ['c1', 'a2'],
    ['d1', 'e1'],
  ])
  for (const settled of settle) settled(false)
  expect(await Promise.all(added)).toHaveLength(7)
})

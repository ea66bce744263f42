import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../test/seed.ts'
import { AppError } from './app-error.ts'
import { createGroupCommit } from './group-commit.ts'

/** Waits by turns of the event queue: latencies without a clock, so that runs are repeatable. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

const anItem = fc.record({ pause: fc.nat(6), owner: fc.nat(3), weight: fc.nat(15), isGuilty: fc.boolean() })
const aCommit = fc.record({ turns: fc.nat(12), isAway: fc.boolean() })

/** What is stored for each owner, in order. */
const byOwner = (items: Item[], stored: number[]): number[][] =>
  Object.values(Object.groupBy(stored, (index) => items[index]?.owner ?? 0)).map((own) => own ?? [])
const inOrder = (indices: number[]): number[] => indices.toSorted((one, other) => one - other)

const limits = fc.record({
  maxItems: fc.integer({ min: 1, max: 5 }),
  maxWeight: fc.integer({ min: 1, max: 20 }),
  maxInFlight: fc.integer({ min: 1, max: 3 }),
  isPaced: fc.boolean(),
})

interface Item {
  pause: number
  owner: number
  weight: number
  isGuilty: boolean
}

interface Most {
  maxItems: number
  maxWeight: number
  maxInFlight: number
  isPaced: boolean
}

/** Its time passes with the turns that its timers wait. */
function turnPace() {
  let time = 0
  return {
    everyMs: 1,
    mayWait: (index: number) => index % 3 > 0,
    now: () => time,
    schedule: (ms: number, action: () => void) => {
      turns(7).then(() => {
        time += ms
        action()
      })
      return () => undefined
    },
  }
}

type Step = { turns: number; isAway: boolean }

/** Sends everything through a store that refuses the bad items and is away now and then. */
async function putThrough(items: Item[], plan: Step[], { maxItems, maxWeight, maxInFlight, isPaced }: Most) {
  const groups: number[][] = []
  const stored: number[] = []
  let underWay = 0
  let succeeded = 0
  const commits = createGroupCommit(
    async (group: number[]) => {
      expect(++underWay).toBeLessThanOrEqual(maxInFlight)
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
      maxItems,
      maxWeight,
      maxInFlight,
      weightOf: (index) => items[index]?.weight ?? 0,
      ownerOf: (index) => `${items[index]?.owner}`,
      ...(isPaced && { pace: turnPace() }),
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

test('[R18] every caller settles exactly once, whatever the store does, and everything reported as stored is stored', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 1, maxLength: 40 }),
      fc.array(aCommit, { minLength: 1 }),
      limits,
      async (items, plan, bounds) => {
        const { groups, settled, stored } = await putThrough(items, plan, bounds)
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(bounds.maxItems)
          const weight = group.reduce((sum, index) => sum + (items[index]?.weight ?? 0), 0)
          if (group.length > 1) expect(weight).toBeLessThanOrEqual(bounds.maxWeight)
        }
        expect(new Set(stored).size).toBe(stored.length)
        for (const [index, { isGuilty }] of items.entries()) {
          const failures = isGuilty ? ['UNAVAILABLE', 'refused'] : ['UNAVAILABLE']
          expect(settled[index]).toHaveLength(1)
          expect(stored.includes(index) ? [`stored ${index}`] : failures).toContain(settled[index]?.[0])
        }
        if (bounds.maxInFlight === 1) expect(stored).toEqual(inOrder(stored))
        for (const own of byOwner(items, stored)) expect(own).toEqual(inOrder(own))
      },
    ),
    { ...seeded, numRuns: 300 },
  )
})

test('[R40] in a group that the store refuses, exactly the bad items fail, and everybody’s order is kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 1, maxLength: 40 }),
      fc.array(
        aCommit.map((step) => ({ ...step, isAway: false })),
        { minLength: 1 },
      ),
      limits,
      async (items, plan, bounds) => {
        const { settled, stored } = await putThrough(items, plan, bounds)
        expect(settled.flat()).toEqual(
          items.map(({ isGuilty }, index) => (isGuilty ? 'refused' : `stored ${index}`)),
        )
        const sound = items.flatMap(({ isGuilty }, index) => (isGuilty ? [] : [index]))
        expect(inOrder(stored)).toEqual(sound)
        if (bounds.maxInFlight === 1) expect(stored).toEqual(sound)
        for (const own of byOwner(items, stored)) expect(own).toEqual(inOrder(own))
      },
    ),
    { ...seeded, numRuns: 300 },
  )
})

test('[R40] one bad item among many is found in few commits', async () => {
  // While the first one is written, all the others gather.
  const items = Array.from({ length: 256 }, (_, index) => ({
    pause: 0,
    owner: index,
    weight: 0,
    isGuilty: index === 100,
  }))
  const bounds = { maxItems: 256, maxWeight: 1, maxInFlight: 1, isPaced: false }
  const { groups, settled } = await putThrough(items, [{ turns: 2_000, isAway: false }], bounds)
  expect(settled.filter(([outcome]) => outcome === 'refused')).toHaveLength(1)
  expect(groups.length).toBeLessThanOrEqual(20)
})

test('items that arrive while a group is written form the next one', async () => {
  const groups: number[][] = []
  const commits = createGroupCommit(
    async (group: number[]) => {
      groups.push(group)
      await turns(5)
      return group
    },
    { maxItems: 128 },
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
    { maxItems: 2, maxInFlight: 2 },
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

/** A paced group commit whose time passes only when the test says so. */
function createPaced(maxItems: number) {
  const groups: string[][] = []
  const timers: { at: number; action(): void }[] = []
  let time = 1_000
  const commits = createGroupCommit(
    async (group: string[]) => {
      groups.push(group)
      return group
    },
    {
      maxItems,
      pace: {
        everyMs: 10,
        mayWait: (item) => !item.startsWith('urgent'),
        now: () => time,
        schedule: (ms, action) => {
          timers.push({ at: time + ms, action })
          return () => undefined
        },
      },
    },
  )
  return {
    groups,
    timers,
    commits,
    async pass(ms: number): Promise<void> {
      time += ms
      const due = timers.filter(({ at }) => at <= time)
      for (const timer of due) timers.splice(timers.indexOf(timer), 1)
      for (const { action } of due) action()
      await turns(5)
    },
  }
}

test('a paced group waits for company after the one before it, and an idle one begins at once', async () => {
  const { groups, timers, commits, pass } = createPaced(100)
  const added = [commits.add('a')]
  expect(groups).toEqual([['a']])
  await pass(4)
  added.push(commits.add('b'))
  await pass(3)
  added.push(commits.add('c'))
  expect(groups).toEqual([['a']])
  expect(timers).toHaveLength(1)
  await pass(3)
  expect(groups).toEqual([['a'], ['b', 'c']])
  expect(timers).toEqual([])
  await pass(10)
  added.push(commits.add('d'))
  expect(groups.at(-1)).toEqual(['d'])
  expect(await Promise.all(added)).toEqual(['a', 'b', 'c', 'd'])
})

test('a paced group that is full or has an urgent item does not wait, and neither does one that is drained', async () => {
  const { groups, commits, pass } = createPaced(3)
  const added = [commits.add('a'), commits.add('b')]
  await turns(5)
  expect(groups).toEqual([['a']])
  added.push(commits.add('urgent c'))
  await turns(5)
  expect(groups.slice(1)).toEqual([['b', 'urgent c']])
  added.push(...['d', 'e', 'f', 'g'].map((item) => commits.add(item)))
  await turns(5)
  expect(groups.slice(2)).toEqual([['d', 'e', 'f']])
  await commits.drain()
  expect(groups.slice(3)).toEqual([['g']])
  expect(await Promise.all(added)).toHaveLength(7)
  // The timer of what has long been written finds nothing to do.
  await pass(10)
  expect(groups).toHaveLength(4)
})

test('draining nothing is done at once', async () => {
  const commits = createGroupCommit(async (group: number[]) => group, { maxItems: 1 })
  await commits.drain()
  expect(commits.commits()).toBe(0)
})

test('[R40] a group is not sent ahead while the store has items of one of its owners', async () => {
  const groups: string[][] = []
  const settle: ((isRefused: boolean) => void)[] = []
  const commits = createGroupCommit(
    async (group: string[]) => {
      groups.push(group)
      const isRefused = await new Promise<boolean>((done) => settle.push(done))
      if (isRefused) throw new Error('refused')
      return group
    },
    { maxItems: 2, maxInFlight: 2, ownerOf: (item) => item.slice(0, 1) },
  )
  const added = ['x1', 'a1', 'b1', 'c1', 'a2', 'd1', 'e1'].map((item) => commits.add(item))
  expect(groups).toEqual([['x1'], ['a1', 'b1']])
  settle[0]?.(false)
  await turns(5)
  // The next group has the second item of a, whose first is not stored yet.
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

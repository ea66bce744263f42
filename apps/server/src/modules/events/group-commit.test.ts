import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { createGroupCommit } from './group-commit.ts'

/** Waits by turns of the event queue: latencies without a clock, so that runs repeat exactly. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

const aCommit = fc.record({ turns: fc.nat(12), fails: fc.boolean() })
const anItem = fc.record({ pause: fc.nat(6), weight: fc.nat(15) })
const limits = fc.record({
  mostItems: fc.integer({ min: 1, max: 5 }),
  mostWeight: fc.integer({ min: 1, max: 20 }),
  mostUnderWay: fc.integer({ min: 1, max: 3 }),
})

test('[R18] every caller settles exactly once, in order, whatever the store does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 1, maxLength: 40 }),
      fc.array(aCommit, { minLength: 1 }),
      limits,
      async (items, plan, { mostItems, mostWeight, mostUnderWay }) => {
        const groups: number[][] = []
        let underWay = 0
        let succeeded = 0
        const commits = createGroupCommit(
          async (group: number[]) => {
            expect(++underWay).toBeLessThanOrEqual(mostUnderWay)
            const step = plan[groups.length % plan.length]
            groups.push(group)
            await turns(step?.turns ?? 0)
            underWay--
            if (step?.fails) throw new Error(`commit of ${group}`)
            succeeded++
            return group.map((index) => `stored ${index}`)
          },
          { mostItems, mostWeight, mostUnderWay, weightOf: (index) => items[index]?.weight ?? 0 },
        )
        const settled: string[][] = items.map(() => [])
        for (const [index, { pause }] of items.entries()) {
          await turns(pause)
          commits.add(index).then(
            (outcome) => settled[index]?.push(outcome),
            (error: Error) => settled[index]?.push(error.message),
          )
        }
        await commits.drain()
        await turns(2)

        expect(groups.flat()).toEqual(items.map((_, index) => index))
        expect(commits.commits()).toBe(succeeded)
        for (const group of groups) {
          expect(group.length).toBeLessThanOrEqual(mostItems)
          const weight = group.reduce((sum, index) => sum + (items[index]?.weight ?? 0), 0)
          if (group.length > 1) expect(weight).toBeLessThanOrEqual(mostWeight)
        }
        for (const [position, group] of groups.entries())
          for (const index of group)
            expect(settled[index]).toEqual([
              plan[position % plan.length]?.fails ? `commit of ${group}` : `stored ${index}`,
            ])
      },
    ),
    { ...seeded, numRuns: 300 },
  )
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

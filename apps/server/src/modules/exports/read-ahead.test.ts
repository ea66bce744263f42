import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

/** Promises that are settled go on until nothing is left to do. */
async function othersTurn(): Promise<void> {
  for (let step = 0; step < 50; step++) await null
}

/** Pages 0 to `last`, planned so many at once, each of which is read when the test lets it. */
function book(last: number, pagesPerPlan: number) {
  const planned: number[] = []
  const begun: number[] = []
  const waiting = new Map<number, () => void>()
  const nextPage = readAhead(
    async (after: number | null) => {
      const first = after === null ? 0 : after + 1
      const pages = Array.from({ length: pagesPerPlan }, (_, index) => first + index)
      const there = pages.filter((page) => page <= last)
      planned.push(...there)
      return there.map((page) => ({ page, next: page === last ? null : page }))
    },
    ({ page }) => {
      begun.push(page)
      return new Promise<number>((resolve) => waiting.set(page, () => resolve(page)))
    },
  )
  return {
    nextPage,
    planned,
    begun,
    async arrive(page: number) {
      await othersTurn()
      waiting.get(page)?.()
      await othersTurn()
    },
  }
}

test.each([1, 2, 3, 4])(
  '[D2] with %i planned at once, pages come in order, whichever the database has first, and the last one says so',
  async (pagesPerPlan) => {
    const { nextPage, arrive } = book(3, pagesPerPlan)
    const first = nextPage()
    await arrive(0)
    expect(await first).toEqual({ content: 0, isLast: false })
    const second = nextPage()
    for (const page of [3, 2, 1]) await arrive(page)
    expect(await second).toEqual({ content: 1, isLast: false })
    const third = nextPage()
    await arrive(3)
    expect([await third, await nextPage()]).toEqual([
      { content: 2, isLast: false },
      { content: 3, isLast: true },
    ])
    await expect(nextPage()).rejects.toThrow('the last page was read')
  },
)

test('[D2] the next pages are planned while one is read, but only a few are read however slowly they are taken', async () => {
  const { nextPage, arrive, planned, begun } = book(99, 4)
  const first = nextPage()
  await arrive(0)
  await first
  await othersTurn()
  expect(begun).toEqual([0, 1, 2])
  expect(planned).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  for (const page of [1, 2]) await arrive(page)
  expect(begun).toEqual([0, 1, 2])
  await nextPage()
  await othersTurn()
  expect(begun).toEqual([0, 1, 2, 3])
  expect(planned).toHaveLength(8)
})

test('[D2] a first page that is refused is refused at once, and nothing more is read', async () => {
  let reads = 0
  const nextPage = readAhead(
    async () => [{ next: 1 }],
    async () => {
      reads++
      throw new Error('no disk')
    },
  )
  await expect(nextPage()).rejects.toThrow('no disk')
  expect(reads).toBe(1)
})

import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

/** Promises that are settled go on until nothing is left to do. */
async function othersTurn(): Promise<void> {
  for (let step = 0; step < 50; step++) await null
}

/** Pages 0 to `last`, each of which is read when the test lets it. */
function book(last: number) {
  const planned: number[] = []
  const waiting = new Map<number, () => void>()
  const nextPage = readAhead(
    async (after: number | null) => {
      const page = after === null ? 0 : after + 1
      planned.push(page)
      return { page, next: page === last ? null : page }
    },
    ({ page }) => new Promise<number>((resolve) => waiting.set(page, () => resolve(page))),
  )
  return {
    nextPage,
    planned,
    async arrive(page: number) {
      await othersTurn()
      waiting.get(page)?.()
      await othersTurn()
    },
  }
}

test('[X2] pages come in order, whichever the database has first, and the last one says so', async () => {
  const { nextPage, arrive } = book(3)
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
})

test('[X2] the next pages are planned while one is read, but no more than a few however slowly they are taken', async () => {
  const { nextPage, arrive, planned } = book(99)
  const first = nextPage()
  await arrive(0)
  await first
  await othersTurn()
  expect(planned).toEqual([0, 1, 2])
  for (const page of [1, 2]) await arrive(page)
  expect(planned).toEqual([0, 1, 2])
  await nextPage()
  await othersTurn()
  expect(planned).toEqual([0, 1, 2, 3])
})

test('[X2] a first page that is refused is refused at once, and nothing more is read', async () => {
  let reads = 0
  const nextPage = readAhead(
    async () => ({ next: 1 }),
    async () => {
      reads++
      throw new Error('no disk')
    },
  )
  await expect(nextPage()).rejects.toThrow('no disk')
  expect(reads).toBe(1)
})

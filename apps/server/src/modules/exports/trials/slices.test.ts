import { expect, test } from 'vitest'
import type { Row } from '../tables/row.ts'
import { assertFitsPage, inSlices } from './slices.ts'

const heavy = 'x'.repeat(500_000)

test('[D48] rows that share a large cell are given a few at a time, all of them, in order', async () => {
  const pages: Row[][] = [
    [],
    Array.from({ length: 20 }, (_, at) => ({ at, cell: heavy })),
    [{ at: 20, cell: 'small' }],
    [],
  ]
  let page = 0
  const read = inSlices(async () => ({ rows: pages[page++] ?? [], isLast: page === pages.length }))
  const slices: Row[][] = []
  for (let isLast = false; !isLast; ) {
    const slice = await read()
    slices.push(slice.rows)
    isLast = slice.isLast
  }
  expect(slices.flat().map(({ at }) => at)).toEqual(Array.from({ length: 21 }, (_, at) => at))
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(8)
})

test('[D48] a page that would be too large is refused, with what to ask for instead', () => {
  const rows = Array.from({ length: 200 }, () => ({ cell: heavy }))
  expect(() => assertFitsPage(rows.slice(0, 100))).not.toThrow()
  expect(() => assertFitsPage(rows)).toThrow()
})

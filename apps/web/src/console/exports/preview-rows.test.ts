import { expect, test } from 'vitest'
import { cellText, columnsIn, nextOrder, rowsIn, sorted } from './preview-rows.ts'

test('the first rows of a file, with all of their columns', () => {
  const text = Array.from({ length: 50 }, (_, index) => `{"seq":${index}}\n`).join('')
  expect(rowsIn(text)).toHaveLength(20)
  expect(rowsIn('')).toEqual([])
  expect(columnsIn([{ a: 1 }, { a: 2, b: 3 }])).toEqual(['a', 'b'])
  expect([null, undefined, 0, false, 'x', { y: 1 }].map(cellText)).toEqual([
    '',
    '',
    '0',
    'false',
    'x',
    '{"y":1}',
  ])
})

test('rows are sorted by size or as text, and what is missing comes last', () => {
  const rows = [{ n: 10 }, { n: 9 }, { n: null }, {}]
  expect(sorted(rows, { column: 'n', isDescending: false })).toEqual([{ n: 9 }, { n: 10 }, { n: null }, {}])
  expect(sorted(rows, { column: 'n', isDescending: true })).toEqual([{ n: 10 }, { n: 9 }, { n: null }, {}])
  expect(sorted(rows, undefined)).toBe(rows)
})

test('a column is sorted up, down, and then not at all', () => {
  const up = nextOrder(undefined, 'n')
  const down = nextOrder(up, 'n')
  expect([up?.isDescending, down?.isDescending, nextOrder(down, 'n')]).toEqual([false, true, undefined])
  expect(nextOrder(down, 'm')).toEqual({ column: 'm', isDescending: false })
})

import { expect, test } from 'vitest'
import { stepped } from '../questions/amount-field.tsx'
import { sumOf, withPoints } from './points.ts'

const items = ['rent', 'size']

test('from the first number on every item has points, until all fields are empty again', () => {
  const first = withPoints({}, 'rent', 60, items)
  expect(first).toEqual({ rent: 60, size: 0 })
  expect(withPoints(first ?? {}, 'size', 40, items)).toEqual({ rent: 60, size: 40 })
  expect(withPoints(first ?? {}, 'rent', undefined, items)).toBeUndefined()
  expect(withPoints({}, 'rent', 0, items)).toEqual({ rent: 0, size: 0 })
})

test('what is no number is kept so that the page can say so, and counts as nothing', () => {
  const typed = withPoints({ rent: 60, size: 0 }, 'size', '4o', items)
  expect(typed).toEqual({ rent: 60, size: '4o' })
  expect(sumOf(typed ?? {})).toBe(60)
})

test('an item with an inherited name has no points before it gets some', () => {
  expect(withPoints({}, 'rent', 1, ['rent', 'constructor'])).toEqual({ rent: 1, constructor: 0 })
})

test('arrow keys go along the steps, which are counted from the lowest amount', () => {
  expect(stepped(undefined, 1, { min: 5, step: 1 })).toBe(5)
  expect(stepped(7, 1, { min: 5, max: 8, step: 2 })).toBe(8)
  expect(stepped(0.2, 1, { step: 0.1 })).toBe(0.3)
  expect(stepped(6, -1, { min: 5, step: 2 })).toBe(5)
})

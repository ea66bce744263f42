import { StateEnd } from '@atrium/contract'
import { expect, test } from 'vitest'
import { blankOf, type Schema } from './schema.ts'

test('what a form begins with is usual where the least would be of no use: no state lasts no time at all', () => {
  expect(blankOf({ type: 'integer', minimum: 2 })).toBe(2)
  expect(blankOf({ type: 'integer', minimum: 2, examples: [60] })).toBe(60)
  expect(blankOf({ type: 'integer', default: 5, examples: [60] })).toBe(5)
  const { anyOf = [] }: Schema = JSON.parse(JSON.stringify(StateEnd))
  const timed = anyOf.find(({ properties }) => properties?.on?.const === 'timed') ?? {}
  expect(blankOf(timed)).toEqual({ on: 'timed', afterMs: 60_000 })
})

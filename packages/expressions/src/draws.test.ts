import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expressionIssues } from './check-expression.ts'
import { draws } from './draws.ts'
import { parseExpression } from './expression.ts'
import { scope, valueOfText } from './test/example-scope.ts'
import type { Value } from './value.ts'

/** A cheap generator: what is drawn depends on it alone. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const drawn = (text: string, seed = 1): Value => valueOfText(text, { ...scope, draw: numbersFrom(seed) })

test('[F54,R63] whole numbers lie between the two that are given, both included', () => {
  const all = new Set(Array.from({ length: 200 }, (_, seed) => drawn('drawInt(1, 6)', seed * 7_919)))
  expect([...all].toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(20), (seed, low, more) => {
      const value = Number(drawn(`drawInt(${low}, ${low + more})`, seed))
      expect(value).toBeGreaterThanOrEqual(low)
      expect(value).toBeLessThanOrEqual(low + more)
      const real = Number(drawn(`drawNumber(${low}, ${low + more})`, seed))
      expect(real).toBeGreaterThanOrEqual(low)
      expect(real).toBeLessThanOrEqual(low + more)
    }),
  )
})

test('[F54] a list is drawn from without replacement, and shuffled in every order', () => {
  expect(
    new Set(Array.from({ length: 60 }, (_, seed) => String(drawn('shuffle(list)', seed * 104_729)))).size,
  ).toBe(6)
  fc.assert(
    fc.property(fc.integer(), fc.nat(3), (seed, count) => {
      const sample = drawn(`sample(list, ${count})`, seed) as Value[]
      expect(sample).toHaveLength(count)
      expect(new Set(sample).size).toBe(count)
      for (const item of [...sample, drawn('draw(list)', seed)]) expect([3, 1, 2]).toContain(item)
    }),
  )
})

test.each([
  'draw([])',
  'draw(5)',
  'drawInt(2, 1)',
  'drawInt(0.5, 3)',
  "drawInt('a', 3)",
  'drawInt(0, 9000000000000000)',
  'drawNumber(2, 1)',
  'sample(list, 4)',
  'sample(list, -1)',
  'sample(list, 0.5)',
  'shuffle(5)',
])('[F54] %s is null', (text) => expect(drawn(text)).toBeNull())

test('[F54] the same numbers give the same value, and a branch that is not taken draws nothing', () => {
  expect(drawn('shuffle(list)', 9)).toEqual(drawn('shuffle(list)', 9))
  expect(drawn('[if(true, 1, drawInt(1, 6)), drawInt(1, 1000)]', 3)).toEqual([
    1,
    drawn('drawInt(1, 1000)', 3),
  ])
})

test('[F55,R63] a draw outside a value that is set once is null, and refused with where to write it', () => {
  expect(valueOfText('drawInt(1, 6)')).toBeNull()
  const names = {
    roomVariables: new Set<string>(),
    participantVariables: new Set<string>(),
    components: new Set<string>(),
    forEach: 'room' as const,
  }
  expect(expressionIssues('drawInt(1, 6)', names)).toEqual([
    expect.stringContaining('‘drawInt’ is drawn only where a value is set once: in onEnter and onEnd'),
  ])
  expect(expressionIssues('drawInt(1, 6)', { ...names, mayDraw: true })).toEqual([])
  expect(expressionIssues('drawInt(1)', { ...names, mayDraw: true })).toEqual([
    '‘drawInt’ does not accept 1 argument; use drawInt(low, high)',
  ])
  expect(expressionIssues('random()', names)).toEqual([
    'there is no function ‘random’ of this form; use drawInt(1, 6) or drawNumber(0, 1)',
  ])
  expect(expressionIssues("drawInt('a', 2)", { ...names, mayDraw: true })).toEqual([
    expect.stringContaining('‘drawInt’ needs a number, not text'),
  ])
})

test.each([
  ['1 + drawInt(1, 6)', true],
  ['if(round > 1, draw([1, 2]), 0)', true],
  ['sort([1])', false],
])('[F54] whether %s depends on chance: %s', (text, expected) => {
  const parsed = parseExpression(text)
  expect(parsed.ok && draws(parsed.expression.root)).toBe(expected)
})

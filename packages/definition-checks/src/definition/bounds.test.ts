import { describe, expect, test } from 'vitest'
import { sizeIssues } from './bounds.ts'

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
const named = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(many(count, (index) => [`n${index}`, value]))
const withState = (state: object) => ({ states: [{ id: 's', components: [], ...state }] })
const components = (count: number) => many(count, (index) => ({ id: `c${index}`, type: 'text' }))

describe('[R60] the size of a definition', () => {
  test.each<[string, (count: number) => object, number, string]>([
    ['states', (count) => ({ states: many(count, () => ({})) }), 1_000, '/states'],
    ['components', (count) => withState({ components: components(count) }), 10_000, '/states'],
    ['components', (count) => ({ ...withState({}), globalComponents: components(count) }), 10_000, '/states'],
    ['transitions', (count) => withState({ next: many(count, () => ({ to: 's' })) }), 10_000, '/states'],
    ['assignments', (count) => withState({ onEnter: named(count, '1') }), 10_000, '/states'],
    ['variables', (count) => ({ variables: named(count, 'x') }), 1_000, '/variables'],
    ['characters in expressions', (count) => withState({ onEnd: { x: 'a'.repeat(count) } }), 150_000, ''],
  ])('has a limit on %s', (noun, definition, max, path) => {
    expect(sizeIssues(definition(max))).toEqual([])
    const count = (number: number) => number.toLocaleString('en')
    const message = `has ${count(max + 1)} ${noun}; the limit is ${count(max)}`
    expect(sizeIssues(definition(max + 1))).toEqual([{ path, message }])
  })

  test.each([1_001, { min: 1, max: 1_001 }, { min: 1e7, max: 1e7 }])(
    'a group of %j is too large',
    (groupSize) => {
      expect(sizeIssues({ matching: { groupSize } })).toEqual([
        { path: '/matching/groupSize', message: 'a group can have at most 1,000 people' },
      ])
    },
  )

  test.each([null, 3, 'x', [], { states: 3 }, { states: [null, 3] }, { matching: [] }, { variables: null }])(
    'ignores whether the form is valid: %j',
    (definition) => {
      expect(sizeIssues(definition)).toEqual([])
    },
  )
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkText, formatDefinition, locateIssues } from './check-text.ts'

const findingsOf = (definition: unknown) =>
  checkText(formatDefinition(definition)).findings.map(({ level, path, message }) => [level, path, message])
const state = { id: 's1', components: [] }

test.each(['public-goods', 'negotiation', 'quick-survey', 'picture-rating', 'film-ratings'])(
  'the example %s has no errors',
  (name) => {
    const checked = checkText(readFileSync(`examples/${name}.json`, 'utf8'))
    expect(checked.findings.filter(({ level }) => level === 'error')).toEqual([])
    expect(checked.definition).toBeDefined()
  },
)

test('a syntax error blocks saving and has a line and a column', () => {
  expect(checkText('{\n  "name": "x"\n  "states": []\n}')).toMatchObject({
    definition: undefined,
    findings: [{ level: 'error', line: 3, column: 3 }],
  })
})

describe('the form', () => {
  test('missing and unknown fields', () => {
    expect(findingsOf({ states: [state], nam: 'x' })).toEqual(
      expect.arrayContaining([
        ['error', '/name', 'is missing'],
        ['error', '/nam', 'is not a known field'],
      ]),
    )
  })

  test('only the intended variant of a union is reported', () => {
    expect(findingsOf({ name: 'x', states: [{ ...state, end: { on: 'timed' } }] })).toEqual([
      ['error', '/states/0/end/afterMs', 'is missing'],
    ])
  })

  test('an unknown variant lists the known ones', () => {
    expect(findingsOf({ name: 'x', states: [{ ...state, end: { on: 'never' } }] })).toEqual([
      ['error', '/states/0/end', expect.stringContaining('"on": "timed"')],
    ])
  })

  test('a value of the wrong type in a union without a discriminator', () => {
    expect(findingsOf({ name: 'x', states: [state], matching: { groupSize: 'two' } })).toEqual([
      ['error', '/matching/groupSize', 'must be a whole number from 1 to 1,000, or {min, max}'],
    ])
  })
})

test('semantic errors block saving but keep the outline', () => {
  const checked = checkText(formatDefinition({ name: 'x', states: [{ ...state, next: [{ to: 'gone' }] }] }))
  expect(checked.definition).toBeUndefined()
  expect(checked.outlined?.states).toHaveLength(1)
  expect(checked.findings).toMatchObject([
    { level: 'error', path: '/states/0/next/0/to', message: 'state ‘gone’ does not exist', line: 9 },
  ])
})

test('warnings do not block saving', () => {
  const component = { id: 'c', type: 'slidr' }
  const checked = checkText(formatDefinition({ name: 'x', states: [{ id: 's1', components: [component] }] }))
  expect(checked.findings).toMatchObject([{ level: 'warning', path: '/states/0/components/0/type' }])
  expect(checked.definition).toBeDefined()
})

test('findings of the platform are shown at their place', () => {
  const text = formatDefinition({ name: 'x', states: [state] })
  expect(locateIssues(text, [{ path: '/states/0/id', message: 'no' }], 'error')).toMatchObject([
    { line: 5, message: 'no' },
  ])
  expect(locateIssues('{', [{ path: '/a', message: 'no' }], 'error')).toMatchObject([{ line: 1, column: 1 }])
})

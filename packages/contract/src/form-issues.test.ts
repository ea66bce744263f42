import { describe, expect, test } from 'vitest'
import { ExperimentDefinition } from './definition/definition.ts'
import { formIssues } from './form-issues.ts'

const state = { id: 's1', components: [] }
const issuesOf = (definition: unknown) =>
  formIssues(ExperimentDefinition, definition).map(({ path, message }) => [path, message])

describe('what is wrong with the form of a definition', () => {
  test('missing and unknown fields', () => {
    expect(issuesOf({ states: [state], nam: 'x' })).toEqual(
      expect.arrayContaining([
        ['/name', 'is missing'],
        ['/nam', 'is not a known field'],
      ]),
    )
  })

  test('only the intended variant of a union is reported', () => {
    expect(issuesOf({ name: 'x', states: [{ ...state, end: { on: 'timed' } }] })).toEqual([
      ['/states/0/end/afterMs', 'is missing'],
    ])
  })

  test('an unknown variant lists the known ones', () => {
    expect(issuesOf({ name: 'x', states: [{ ...state, end: { on: 'never' } }] })).toEqual([
      ['/states/0/end', expect.stringContaining('"on": "timed"')],
    ])
  })

  test('a value of the wrong type in a union without a discriminator', () => {
    expect(issuesOf({ name: 'x', states: [state], matching: { groupSize: 'two' } })).toEqual([
      ['/matching/groupSize', 'must be a whole number from 1 to 1,000, or {min, max}'],
    ])
  })
})

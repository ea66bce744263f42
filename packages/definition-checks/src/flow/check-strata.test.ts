import { experiment, state } from '@atrium/testkit/definitions'
import { expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const warningsOf = (strata: string[], more: object = {}) => {
  const conditions = { values: ['x', 'y'], strata }
  return checkFlow(experiment([state('a')], { conditions, ...more }), () => true).warnings.flatMap(
    ({ path, message }) => (path.startsWith('/conditions') ? [`${path}: ${message}`] : []),
  )
}
const variables = { ageGroup: { scope: 'participant' }, given: { scope: 'participant' } }

it('[F70] a stratum may be anything that links carry, or a participant variable', () => {
  expect(warningsOf(['gender'])).toEqual([])
  expect(warningsOf(['gender', 'ageGroup'], { variables })).toEqual([])
})

it('[F70] a stratum that is close to another name of the study is probably misspelt', () => {
  expect(warningsOf(['gender', 'agegruop'], { variables })).toEqual([
    '/conditions/strata/1: ‘agegruop’ is no participant variable, so it is taken for a parameter of the link; did you mean ‘ageGroup’?',
  ])
  const matching = {
    groupSize: 1,
    filters: [{ attribute: 'country', in: ['DE'] }],
    balance: ['gender'],
    exclusions: ['never_again', { different: 'school' }],
  }
  expect(warningsOf(['country', 'gender', 'school'], { matching, variables })).toEqual([])
  expect(warningsOf(['contry'], { matching, variables })).toEqual([
    expect.stringContaining('did you mean ‘country’?'),
  ])
})

it('[F70] a question is no stratum, but the variable that its answer is saved in', () => {
  const question = { id: 'gender', type: 'text_input', label: 'Gender?' }
  const asked = { states: [state('a', { components: [question] })] }
  expect(warningsOf(['gender'], asked)).toEqual([
    expect.stringContaining('‘gender’ is a question and no variable'),
  ])
  expect(warningsOf(['gendr'], asked)).toEqual([expect.stringContaining('did you mean ‘gender’?')])
  const saved = { states: [state('a', { components: [{ ...question, saveTo: 'gender' }] })] }
  expect(warningsOf(['gender'], { ...saved, variables: { gender: { scope: 'participant' } } })).toEqual([])
})

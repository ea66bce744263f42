import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { answersIn, participantVariablesOf, sampleOf } from './dry-run-answers.ts'

const study: ExperimentDefinition = {
  name: 'Debate',
  states: [],
  variables: { opinion: { scope: 'participant' }, age: { scope: 'participant' }, pot: 0 },
  matching: { groupSize: 2, compose: [{ when: "opinion == 'for'", count: 2 }] },
}

test('[M30] each line says how often the values of one name occur', () => {
  const variables = participantVariablesOf(study)
  expect(variables).toEqual(['opinion', 'age'])
  expect(answersIn('opinion = for:2, against\n\n country=DE:8,FR:2', variables)).toEqual({
    ok: true,
    answers: {
      variables: { opinion: { for: 2, against: 1 } },
      attributes: { country: { DE: 8, FR: 2 } },
    },
  })
  expect(answersIn('', variables)).toEqual({ ok: true, answers: {} })
})

test.each(['opinion', '= for:2', 'opinion = for:none', 'opinion = for:0', 'opinion = for,,against'])(
  '%s is refused with its line',
  (line) => {
    expect(answersIn(`age = 30\n${line}`, [])).toEqual({
      ok: false,
      message: expect.stringContaining('Line 2'),
    })
  },
)

test('[M30] people who took part are drawn from with what matching reads of them', () => {
  const rows = [
    { participantId: 'a', var_opinion: 'for', var_age: 30, agent: null },
    { participantId: 'b', var_opinion: null },
    { participantId: 'c', var_opinion: ['a', 'list'] },
    { participantId: 'd', var_opinion: 'against' },
  ]
  expect(sampleOf(rows, participantVariablesOf(study), study.matching)).toEqual([
    { opinion: 'for' },
    { opinion: 'against' },
  ])
})

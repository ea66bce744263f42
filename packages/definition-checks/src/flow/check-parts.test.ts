import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it, test } from 'vitest'
import { checkFlow } from './check-flow.ts'
import { checkParts } from './check-parts.ts'
import { declaredNamesOf } from './definition-names.ts'

const question = { id: 'view', type: 'text_input', label: 'For or against?', saveTo: 'opinion' }
const variables = { opinion: { scope: 'participant' }, pot: { initial: 0 } }
const studyWith = (matching: object) =>
  experiment([state('a', { components: [question] })], {
    variables,
    matching: { groupSize: 2, ...matching },
  })
const found = (when: string, moment: 'first' | 'later' = 'later') => {
  const study = studyWith({ compose: [{ when, count: 2 }] })
  return checkParts(study, declaredNamesOf(study), moment).errors
}

describe('[M24] a part is decided by what is known of a person before there is a room', () => {
  test.each([
    ["opinion == 'for'"],
    ["metadata.country == 'DE' && metadata.age >= 18"],
    ['true'],
    ["contains(['for', 'against'], opinion)"],
  ])('%s is accepted in a later stage', (when) => {
    expect(found(when)).toEqual([])
  })

  test.each([
    [
      "response.view == 'for'",
      '‘response.view’ belongs to a room, and people are matched before they have one; give the question ‘saveTo’ and name that participant variable here',
    ],
    [
      'pot > 3',
      '‘pot’ is a room variable, and people are matched before they have one; use a participant variable',
    ],
    ["role == 'buyer'", '‘role’ belongs to a room, and people are matched before they have one'],
    [
      'others.opinion[0] == 1',
      '‘others.opinion’ cannot be used here: people are matched before they have one; use metadata.x or a variable',
    ],
    ["opinon == 'for'", 'variable ‘opinon’ does not exist; did you mean ‘opinion’?'],
    ["opinion = 'for'", expect.stringMatching(/^syntax error at character/)],
    [
      "metadata.PROLIFIC_PID == 'x'",
      '‘metadata.PROLIFIC_PID’ says who somebody is, so it is kept apart from the data and cannot be read here',
    ],
    ['drawInt(1, 2) == 1', expect.stringContaining('is drawn only where a value is set once')],
  ])('%s is refused', (when, message) => {
    expect(found(when)).toEqual([{ path: '/matching/compose/0/when', message }])
  })

  it('reads no variable before the first room, where each still has its initial value', () => {
    const message =
      '‘opinion’ is still the same for everybody: before the first room, nobody has answered anything; use a field of the link, as in metadata.opinion'
    expect(found("opinion == 'for'", 'first')).toEqual([{ path: '/matching/compose/0/when', message }])
    const study = studyWith({ compose: [{ when: "opinion == 'for'", count: 2 }] })
    expect(checkFlow(study, () => true).errors).toContainEqual({ path: '/matching/compose/0/when', message })
  })
})

describe('[M25] a name that is a variable and a field of the link', () => {
  const warnings = (matching: object, moment: 'first' | 'later', more: object = {}) => {
    const study = { ...studyWith(matching), ...more }
    return checkParts(study, declaredNamesOf(study), moment).warnings.map(
      ({ path, message }) => `${path}: ${message}`,
    )
  }
  const everywhere = {
    filters: [
      { attribute: 'age', min: 18 },
      { attribute: 'opinion', in: ['for'] },
    ],
    balance: ['gender', 'opinion'],
    exclusions: ['never_again', { same: 'opinion' }],
  }

  it('is the field before the first room, which is said on saving', () => {
    const said = warnings(everywhere, 'first')
    expect(said.map((one) => one.split(': ')[0])).toEqual([
      '/matching/filters/1/attribute',
      '/matching/balance/1',
      '/matching/exclusions/1',
    ])
    expect(said[0]).toContain('taken for a field of the link, not for the participant variable')
  })

  it('is the variable in a later stage, which is said if the study reads both', () => {
    expect(warnings(everywhere, 'later')).toEqual([])
    const states = [state('a', { next: [{ to: 'end', when: "metadata.opinion == 'x'" }] })]
    expect(warnings(everywhere, 'later', { states })).toHaveLength(3)
  })
})

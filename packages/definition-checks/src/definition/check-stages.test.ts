import type { Stage } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const stage = (id: string, more: object = {}): Stage => ({
  id,
  states: [{ id: `${id}_page`, components: [] }],
  ...more,
})
const study = (stages: Stage[], more: object = {}) => ({ name: 'Stages', stages, ...more })
const found = (definition: object) => {
  const checked = checkOnSaving(definition)
  return 'issues' in checked ? checked.issues.map(({ path, message }) => `${path}: ${message}`) : []
}
const pair = { matching: { groupSize: 2, deadlineMs: 1_000 } }

describe('[R68] stages', () => {
  test('need neither more nor less than an id and states', () => {
    expect(found(study([stage('one'), stage('two', pair)]))).toEqual([])
    expect(found({ name: 'Nothing' })).toEqual(['/states: is missing'])
  })

  test.each<[string, object, string]>([
    [
      'states beside stages',
      study([stage('one')], { states: [{ id: 's', components: [] }] }),
      '/states: belongs to a stage where a study has stages; move it into ‘stages’',
    ],
    [
      'an id twice',
      study([stage('one'), { ...stage('two'), id: 'one' }]),
      '/stages/1/id: duplicate stage id ‘one’',
    ],
    [
      'a state in two stages',
      study([stage('one'), { ...stage('one'), id: 'two' }]),
      '/stages/1/states/0/id: state ‘one_page’ exists in another stage as well; give it another id',
    ],
    [
      'the name of the end',
      study([stage('one'), { ...stage('two'), id: 'end' }]),
      '/stages/1/id: ‘end’ is the end of the experiment',
    ],
    [
      'a way back',
      study([stage('one'), stage('two', { matching: { ...pair.matching, onDeadline: { to: 'one' } } })]),
      '/stages/1/matching/onDeadline/to: there is no stage ‘one’ after this one',
    ],
    [
      'a way to a stage in a study without',
      {
        name: 'x',
        states: [{ id: 's', components: [] }],
        matching: { ...pair.matching, onDeadline: { to: 'two' } },
      },
      '/matching/onDeadline/to: there is no stage ‘two’ after this one',
    ],
    [
      'an outcome on the way to a stage',
      study([
        stage('one', { matching: { ...pair.matching, onDeadline: { to: 'two', outcome: 'X' } } }),
        stage('two'),
      ]),
      '/stages/0/matching/onDeadline/outcome: only ‘end’ can have an outcome; this goes to ‘two’',
    ],
    [
      'a condition of the first stage',
      study([stage('one', { when: 'true' }), stage('two')]),
      '/stages/0/when: everybody begins with the first stage; leave it out',
    ],
    [
      'a condition on an answer',
      study([stage('one'), stage('two', { when: 'response.age > 3' })]),
      '/stages/1/when: component ‘age’ does not exist; whether somebody plays a stage follows from variables of participants',
    ],
    [
      'conditions of a room for all stages',
      study([stage('one'), stage('two')], { conditions: { values: ['a', 'b'] } }),
      '/conditions: belong to a room, and people change rooms between stages; give them to the stage, or set ‘per’ to ‘participant’',
    ],
    [
      'a time limit of everything',
      study([stage('one'), stage('two')], { timeLimit: { afterMs: 1_000 } }),
      '/timeLimit: cannot span stages; put the states of a stage into a block, and limit that',
    ],
    [
      'a global component of no state',
      study([stage('one')], { globalComponents: [{ id: 'chat', type: 'chat', states: ['gone'] }] }),
      '/globalComponents/0/states/0: state ‘gone’ does not exist',
    ],
    [
      'what is wrong within a stage',
      study([stage('one'), { id: 'two', states: [{ id: 's', components: [], next: [{ to: 'one_page' }] }] }]),
      '/stages/1/states/0/next/0/to: state ‘one_page’ does not exist',
    ],
  ])('%s is refused where it stands', (_, definition, issue) => {
    expect(found(definition)).toContain(issue)
  })

  test('what one stage does not use is no warning if another does', () => {
    const checked = checkOnSaving(
      study(
        [stage('one'), { id: 'two', states: [{ id: 's', components: [], onEnter: { seen: 'seen + 1' } }] }],
        {
          variables: { seen: { scope: 'participant', initial: 0 } },
        },
      ),
    )
    expect(checked).toMatchObject({ warnings: [] })
  })

  test('as many stages and states as a study may have, and no more', () => {
    const many = Array.from({ length: 21 }, (_, at) => stage(`s${at}`))
    expect(found(study(many))).toEqual(['/stages: has 21 stages; the limit is 20'])
    const states = Array.from({ length: 600 }, (_, at) => ({ id: `x${at}`, components: [] }))
    const other = states.map(({ id, ...rest }) => ({ ...rest, id: `y${id}` }))
    expect(found(study([stage('one', { states }), stage('two', { states: other })]))).toEqual([
      '/states: has 1,200 states; the limit is 1,000',
    ])
  })
})

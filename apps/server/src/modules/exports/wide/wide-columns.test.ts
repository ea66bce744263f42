import { declaredColumns, type ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createWideColumns } from './wide-columns.ts'

const study = (more: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'Study',
  states: [{ id: 's', components: [] }],
  ...more,
})
const state = (id: string, ...components: string[]) => ({
  id,
  components: components.map((component) => ({ id: component, type: 'text_response' })),
})
const namesOf = (...definitions: ExperimentDefinition[]) => {
  const wide = createWideColumns()
  definitions.forEach((definition, index) => {
    wide.add(index + 1, definition)
  })
  return wide
    .columns()
    .columns.slice(declaredColumns('participants').length)
    .map(({ name }) => name)
}

test('[R47,D7] names that readers could confuse are numbered', () => {
  const states = [state('a', 'b__c', 'B c', 'b-c', 'b.c'), state('a__b', 'c')]
  expect(namesOf(study({ states }))).toEqual(['a__b__c', 'a__B_c', 'a__b_c__2', 'a__b_c__3', 'a__b__c__2'])
})

test('[R47] states of a block have a column for each round; states that a loop leads back to count their visits', () => {
  const states = [
    state('intro', 'name'),
    { ...state('trial', 'word'), next: [{ to: 'intro', when: 'true', atMost: 3 }] },
    state('last'),
  ]
  expect(namesOf(study({ states, blocks: [{ id: 'b', states: ['last'], rounds: 3 }] }))).toEqual([
    'intro__visits',
    'trial__visits',
    'intro__name',
    'trial__word',
  ])
  const rounds = study({ states: [state('t', 'w')], blocks: [{ id: 'b', states: ['t'], rounds: 3 }] })
  expect(namesOf(rounds)).toEqual(['t__w__r1', 't__w__r2', 't__w__r3'])
  expect(namesOf(rounds, study({ states: [state('t', 'w')] }))).toEqual([
    't__w__r1',
    't__w__r2',
    't__w__r3',
    't__w',
  ])
})

test('[R47] a component that is answered everywhere has a column for each state that shows it', () => {
  const globalComponents = [{ id: 'note', type: 'text_response', states: ['a', 'c'] }]
  expect(namesOf(study({ states: [state('a'), state('b'), state('c')], globalComponents }))).toEqual([
    'a__note',
    'c__note',
  ])
})

test('[R47] an answer that names no state belongs to the only state with that component', () => {
  const wide = createWideColumns()
  wide.add(1, study({ states: [state('a', 'x', 'y'), state('b', 'y')] }))
  const columns = wide.columns().revisions.get(1)
  expect(columns?.answer(null, 'x', null)?.name).toBe('a__x')
  expect(columns?.answer(null, 'y', null)).toBeUndefined()
  expect(columns?.answer('b', 'x', null)).toBeUndefined()
})

test('[R47,D4] a table that would be too wide is refused, with what to do instead', () => {
  const blocks = [{ id: 'b', states: ['t'], rounds: 10_000 }]
  expect(() => namesOf(study({ states: [state('t', 'w')], blocks }))).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  )
})

test('[R47] [F184] of a block in a block, a column has the last answer in its round, and visits are counted', () => {
  const definition = study({
    states: [state('a', 'word'), state('b', 'sum')],
    blocks: [
      { id: 'outer', states: ['inner', 'b'], rounds: 2 },
      { id: 'inner', states: ['a'], rounds: 2 },
    ],
  })
  expect(namesOf(definition)).toEqual(['a__visits', 'a__word__r1', 'a__word__r2', 'b__sum__r1', 'b__sum__r2'])
})

import { fieldsOfStages } from '@atrium/contract'
import { checkOnSaving } from '@atrium/definition-checks'
import { expect, test } from 'vitest'
import { valueAt } from './core/document.ts'
import { stateIdsIn } from './core/parts.ts'
import {
  addStage,
  deleteStage,
  divideIntoStages,
  moveState,
  renameStage,
  stepOf,
  withoutStages,
} from './core/stages.ts'
import { addState } from './core/states.ts'
import { namedAt, namesIn } from './names.ts'
import { placeInWords } from './problems/place-in-words.ts'
import { keysOf, sectionsIn, selectionFor, selectionIn } from './sections.ts'

// R68: studies in stages on the workbench.

const state = (id: string) => ({ id, components: [] })

const staged = {
  name: 'Deliberation',
  stages: [
    {
      id: 'alone',
      states: [state('opinion'), state('reasons')],
      blocks: [{ id: 'both', states: ['opinion', 'reasons'], order: 'random' }],
    },
    {
      id: 'talk',
      matching: { groupSize: 2, deadlineMs: 60_000, onDeadline: { to: 'after' } },
      roles: ['host', 'guest'],
      states: [state('chat')],
    },
    { id: 'after', states: [state('again')] },
  ],
  globalComponents: [{ id: 'rules', type: 'text', text: 'Be kind.', states: ['opinion', 'chat'] }],
}

test('[R68] a study is divided into stages and put together again without a loss, and what it says for itself goes into the stage', () => {
  const study = {
    name: 'Whole',
    roles: ['a', 'b'],
    variables: { x: 1 },
    matching: { groupSize: 2 },
    conditions: { values: ['red', 'blue'] },
    states: [state('one'), state('two')],
    blocks: [{ id: 'both', states: ['one', 'two'] }],
    dropout: { policy: 'wait' },
  }
  const divided = divideIntoStages(study)
  for (const field of fieldsOfStages) expect(valueAt(divided, [field])).toBeUndefined()
  expect(divided).toMatchObject({
    variables: { x: 1 },
    stages: [{ id: 'stage-1', conditions: { values: ['red', 'blue'] }, dropout: { policy: 'wait' } }],
  })
  expect(withoutStages(divided)).toEqual(study)
  // What has several stages is more than one, and what has stages is divided already.
  expect(withoutStages(staged)).toBe(staged)
  expect(divideIntoStages(staged)).toBe(staged)
  const perPerson = { ...study, conditions: { values: ['red', 'blue'], per: 'participant' } }
  expect(divideIntoStages(perPerson)).toMatchObject({ conditions: { per: 'participant' } })
  expect(withoutStages(divideIntoStages(perPerson))).toEqual(perPerson)
})

test('[R68] a study that is divided and gets a second stage is one that can be published', () => {
  const study = { name: 'Grown', states: [state('one')] }
  const grown = addStage(divideIntoStages(study), 1, 'New state')
  expect(stateIdsIn(grown)).toEqual(['one', 'state'])
  expect(valueAt(grown, ['stages', 1, 'id'])).toBe('stage-2')
  // Ids tell where an answer was given, in whichever stage.
  expect(stateIdsIn(addState(grown, ['stages', 0, 'states'], 0, 'New state'))).toEqual([
    'state-2',
    'one',
    'state',
  ])
  expect(checkOnSaving(grown)).not.toHaveProperty('issues')
})

test('[R68] a state moves within its stage and over the border to the next, and the blocks of the former stage forget it', () => {
  const opinion = ['stages', 0, 'states', 0]
  expect(stepOf(staged, opinion, -1)).toBeUndefined()
  expect(stepOf(staged, opinion, 1)).toEqual({ list: ['stages', 0, 'states'], to: 1 })
  expect(stepOf(staged, ['stages', 0, 'states', 1], 1)).toEqual({ list: ['stages', 1, 'states'], to: 0 })
  expect(stepOf(staged, ['stages', 1, 'states', 0], -1)).toEqual({ list: ['stages', 0, 'states'], to: 2 })
  expect(stepOf(staged, ['stages', 2, 'states', 0], 1)).toBeUndefined()
  const moved = moveState(staged, opinion, ['stages', 1, 'states'], 0)
  expect(stateIdsIn(moved)).toEqual(['reasons', 'opinion', 'chat', 'again'])
  expect(moved).toMatchObject({
    stages: [{ blocks: [{ states: ['reasons'] }] }, {}, {}],
    // It is shown wherever its states are.
    globalComponents: staged.globalComponents,
  })
  const within = moveState(staged, opinion, ['stages', 0, 'states'], 1)
  expect(stateIdsIn(within)).toEqual(['reasons', 'opinion', 'chat', 'again'])
  expect(within).toMatchObject({ stages: [{ blocks: staged.stages[0]?.blocks }, {}, {}] })
})

test('[R68] a renamed stage is found by those that send people there; a deleted one leaves nothing that enumerates its states', () => {
  expect(renameStage(staged, 2, 'last')).toMatchObject({
    stages: [{}, { matching: { onDeadline: { to: 'last' } } }, { id: 'last' }],
  })
  const left = deleteStage(staged, 0)
  expect(stateIdsIn(left)).toEqual(['chat', 'again'])
  expect(left).toMatchObject({ globalComponents: [{ states: ['chat'] }] })
})

test('[R68] what is wrong in a stage leads to its form, or to that of the state, and is named in words', () => {
  const deep = '/stages/1/states/0/components/2/label'
  expect(selectionFor(deep)).toEqual({ kind: 'state', at: '/stages/1/states/0' })
  expect(selectionFor('/stages/1/matching/onDeadline/to')).toEqual({ kind: 'stage', at: 1 })
  expect(selectionFor('/stages/2')).toEqual({ kind: 'stage', at: 2 })
  expect(placeInWords(staged, '/stages/1/states/0/name')).toBe('talk › chat › Name')
  expect(placeInWords(staged, '/stages/1/matching/groupSize')).toBe('talk › Matching › Group size')
  // What undo has taken away is not looked for.
  expect(selectionIn(staged, { kind: 'stage', at: 3 })).toEqual({ kind: 'state', at: '/stages/0/states/0' })
  expect(selectionIn({ states: [] }, { kind: 'stage', at: 0 })).toEqual({ kind: 'section', id: 'basics' })
})

test('[R68] with stages, the study has no form for what each says for itself, unless it stands there', () => {
  expect(sectionsIn(staged)).not.toContain('group')
  expect(sectionsIn({ ...staged, matching: { groupSize: 2 } })).toContain('group')
  expect(keysOf('conditions', staged)).toEqual(['conditions'])
  expect(sectionsIn({ states: [] })).toContain('group')
})

test('[R68] fields of a stage suggest its own states and roles, and the stages after it', () => {
  const { byProperty } = namesIn(staged)
  const suggested = (property: string, path: (string | number)[]) => byProperty.get(namedAt(property, path))
  expect(suggested('to', ['stages', '0', 'states', '0', 'next', '0', 'to'])).toEqual([
    'opinion',
    'reasons',
    'end',
  ])
  expect(suggested('to', ['stages', '1', 'matching', 'onDeadline', 'to'])).toEqual(['after', 'end'])
  expect(suggested('states', ['stages', '0', 'blocks', '0', 'states'])).toEqual([
    'opinion',
    'reasons',
    'both',
  ])
  expect(suggested('roles', ['stages', '1', 'states', '0', 'roles'])).toEqual(['host', 'guest'])
  expect(suggested('role', ['agents', '0', 'role'])).toEqual(['host', 'guest'])
  expect(suggested('states', ['globalComponents', '0', 'states'])).toEqual([
    'opinion',
    'reasons',
    'chat',
    'again',
  ])
})

import { type ExperimentDefinition, exportedTables } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createCodebook } from './codebook.ts'

function study(label: string): ExperimentDefinition {
  const mood = { id: 'mood', type: 'likert', label, points: 3, minLabel: 'bad', maxLabel: 'good' }
  const options = ['Rome', { value: 'p', label: 'Paris' }]
  const city = { id: 'city', type: 'multiple_choice', options, multiple: true }
  const note = { id: 'note', type: 'text_input', saveTo: 'note' }
  return {
    name: 'Study',
    states: [{ id: 's', name: 'First page', components: [mood, city, note] }],
    variables: { note: { scope: 'participant', initial: null } },
  }
}

const rowsOf = (...definitions: ExperimentDefinition[]) => {
  const codebook = createCodebook()
  for (const [index, definition] of definitions.entries()) codebook.add(index + 1, definition)
  return codebook.rows(['participants'])
}

test('[R47] a question has its text, its range and the labels of its values', () => {
  const rows = rowsOf(study('How are you?'))
  expect(rows.find(({ variable }) => variable === 's__mood')).toMatchObject({
    label: 'How are you?',
    minimum: 1,
    maximum: 3,
    componentType: 'likert',
    values: JSON.stringify([{ value: 1, label: 'bad' }, { value: 2 }, { value: 3, label: 'good' }]),
  })
  expect(rows.find(({ variable }) => variable === 's__city')?.values).toBe(
    JSON.stringify([{ value: 'Rome' }, { value: 'p', label: 'Paris' }]),
  )
  expect(rows.find(({ variable }) => variable === 's__note')?.values).toBeUndefined()
  expect(rows.find(({ variable }) => variable === 'var_note')?.description).toContain('‘note’ in ‘s’')
})

test('[R47,D11] revisions share a row for as long as a question means the same', () => {
  const rows = rowsOf(study('How are you?'), study('How do you feel?'), study('How are you?'))
  const mood = rows.filter(({ variable }) => variable === 's__mood')
  expect(mood.map(({ label, revisions }) => [label, revisions])).toEqual([
    ['How are you?', '[1,3]'],
    ['How do you feel?', '[2]'],
  ])
  expect(rows.filter(({ variable }) => variable === 's__city').map(({ revisions }) => revisions)).toEqual([
    '[1,2,3]',
  ])
})

test('[R47,D11] no column of any table is left without a description', () => {
  const codebook = createCodebook()
  codebook.add(1, study('How are you?'))
  const rows = codebook.rows(exportedTables)
  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(exportedTables))
  expect(rows.filter(({ description }) => !description)).toEqual([])
})

test('[R47] the trials of a timeline are one answer, described by its schema', () => {
  const trial = { type: 'html-keyboard-response', stimulus: 'A', choices: ['f', 'j'] }
  const task = { id: 'task', type: 'jspsych', label: 'Letters', timeline: [trial] }
  const [row] = rowsOf({ name: 'Study', states: [{ id: 's', components: [task] }] }).filter(
    ({ variable }) => variable === 's__task',
  )
  expect(row).toMatchObject({ componentType: 'jspsych', label: 'Letters', type: 'json' })
  expect(JSON.parse(String(row?.schema)).properties.trials).toMatchObject({ minItems: 1, maxItems: 1 })
})

test('[R47] the regions of a picture are the values that its marks can have, and are in the schema of the answer', () => {
  const regions = [
    { value: 'shop', label: 'Shop window', x: 0, y: 0, width: 50, height: 100 },
    { value: 'bus', x: 50, y: 0, width: 50, height: 100 },
  ]
  const street = { id: 'street', type: 'hot_spot', label: 'Where?', src: '/street.png', regions }
  const [row] = rowsOf({ name: 'Study', states: [{ id: 's', components: [street] }] }).filter(
    ({ variable }) => variable === 's__street',
  )
  expect(row).toMatchObject({
    ...{ componentType: 'hot_spot', label: 'Where?', type: 'json' },
    values: JSON.stringify([{ value: 'shop', label: 'Shop window' }, { value: 'bus' }]),
  })
  expect(Object.keys(JSON.parse(String(row?.schema)).properties)).toEqual(['marks', 'regions'])
})

test('[R47,R62] a question about each of the others has the labels of what can be answered about each', () => {
  const options = [{ value: 'yes', label: 'I do' }, { value: 'no' }]
  const trust = { id: 'trust', type: 'multiple_choice', forEach: 'others' as const, options }
  const [row] = rowsOf({ name: 'Study', states: [{ id: 's', components: [trust] }] }).filter(
    ({ variable }) => variable === 's__trust',
  )
  expect(row).toMatchObject({ type: 'json', values: JSON.stringify([options[0], { value: 'no' }]) })
  expect(row?.description).toContain('about each of the others, by alias')
  expect(JSON.parse(String(row?.schema))).toMatchObject({ type: 'object', additionalProperties: {} })
})

import { expect, test } from 'vitest'
import { actionsFor, formOf } from './room-actions.ts'

const seat = { participantId: 'p1', alias: 'Participant 1' }

test('a paused room cannot be paused or advanced, and an ended one cannot be changed', () => {
  expect(actionsFor('running').map(({ kind }) => kind)).toEqual(['advance', 'pause', 'announce', 'end'])
  expect(actionsFor('paused').map(({ kind }) => kind)).toEqual(['resume', 'announce', 'end'])
  expect(actionsFor('ended')).toEqual([])
})

test('actions that cannot be undone say so', () => {
  const forms = [...actionsFor('running'), ...actionsFor('paused'), { kind: 'remove' as const, seat }].map(
    formOf,
  )
  for (const { isDangerous, explanation } of forms)
    expect(explanation.includes('cannot be undone')).toBe(isDangerous)
})

test('only a message needs a text', () => {
  expect(formOf({ kind: 'announce' }).field?.isRequired).toBe(true)
  expect(formOf({ kind: 'announce', seat }).title).toBe('Message Participant 1')
  expect(formOf({ kind: 'pause' }).field?.isRequired).toBe(false)
  expect(formOf({ kind: 'resume' }).field).toBeUndefined()
})

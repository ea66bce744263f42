import { expect, test } from 'vitest'
import { descriptionOf } from './description.tsx'

const shown = (description: string, name = 'some', more = {}) => descriptionOf(name, { description, ...more })

test('a form says what holds while a setting is not set', () => {
  expect(shown('Text next to it; none when absent')).toBe('Text next to it. If not set: none')
  expect(shown('Sent to a model; required for agents; false when absent. Say so')).toBe(
    'Sent to a model; required for agents. If not set: no. Say so',
  )
  expect(shown('Title of the state')).toBe('Title of the state')
  expect(descriptionOf('some', {})).toBeUndefined()
})

test('a duration, which the form takes in seconds, has its default in seconds', () => {
  expect(shown('Time between samples; 250 when absent', 'intervalMs')).toBe(
    'Time between samples. If not set: 0.25 s',
  )
  expect(shown('How long to wait; 10,000 when absent', 'wait', { 'x-unit': 'ms' })).toBe(
    'How long to wait. If not set: 10 s',
  )
  expect(shown('Most characters; 1,000 when absent')).toBe('Most characters. If not set: 1,000')
})

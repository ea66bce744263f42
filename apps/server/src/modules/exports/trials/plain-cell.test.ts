import { expect, test } from 'vitest'
import { partsOfAnswers } from './answer-parts.ts'
import { plainCell, valueAt } from './plain-cell.ts'

test('[D47] cells are never JSON: lists and objects become text, and what has another type is left out', () => {
  expect(plainCell('text', ['a', null, 2])).toBe('a; ; 2')
  expect(plainCell('text', { left: 1, right: [true] })).toBe('left: 1; right: true')
  expect(plainCell('text', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)))).toBe('…')
  expect([plainCell('number', '1'), plainCell('number', 1)]).toEqual([null, 1])
  expect([plainCell('flag', 'true'), plainCell('flag', false), plainCell('text', null)]).toEqual([
    null,
    false,
    null,
  ])
})

test('[D47] an answer has a column for each of its parts', () => {
  const number = { type: 'integer' }
  const inside = { type: 'object', properties: { x: number, list: { type: 'array' } } }
  const schema = { type: 'object', properties: { inside, ok: { type: 'boolean' } } }
  expect(partsOfAnswers(schema).map(({ path, type }) => [path.join('.'), type])).toEqual([
    ['inside.x', 'number'],
    ['inside.list', 'text'],
    ['ok', 'flag'],
  ])
  expect(partsOfAnswers({ type: 'string' })).toMatchObject([{ path: [], type: 'text' }])
  expect(valueAt({ inside: { x: 1 } }, ['inside', 'x'])).toBe(1)
  expect(valueAt({ inside: null }, ['inside', 'x'])).toBeUndefined()
})

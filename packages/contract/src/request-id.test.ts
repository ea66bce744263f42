import { expect, test } from 'vitest'
import { isRequestId } from './request-id.ts'

test('short ids of letters, digits, hyphens and underscores are used', () => {
  for (const id of ['a', '7f3a-1', 'b2d1c9f0-7c1e-4a52-9d0c-0e6f7c1d2a3b', 'x'.repeat(64)])
    expect(isRequestId(id)).toBe(true)
})

test('ids that could break a log line, are long, or are a session’s are not', () => {
  const refused = [
    '',
    'x'.repeat(65),
    'a b',
    'a\nb',
    'a, b',
    '{"a":1}',
    'ä',
    `sess_${'a'.repeat(43)}`,
    `atk_${'a'.repeat(54)}`,
  ]
  for (const id of [...refused, undefined, ['a', 'b'], 7]) expect(isRequestId(id)).toBe(false)
})

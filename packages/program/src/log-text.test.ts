import { expect, test } from 'vitest'
import { logText } from './log-text.ts'
import { errorForLog } from './logger.ts'

const time = new Date(2026, 2, 2, 10, 4, 31).getTime()
const textOf = (entry: object): string => logText(`${JSON.stringify({ level: 40, time, ...entry })}\n`)

test('a line has the time of day, the level, the message and its fields', () => {
  expect(
    textOf({ pod: 'a', msg: 'a message', host: '0.0.0.0', note: 'two words', empty: '', count: 3 }),
  ).toBe('10:04:31 WARN  a message  pod=a  host=0.0.0.0  note="two words"  empty=""  count=3\n')
  expect(logText('not JSON')).toBe('not JSON')
})

test('an error is shown with its stack, its code and its causes', () => {
  const err = errorForLog(Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'E1' }))
  const lines = textOf({ msg: 'it failed', err }).split('\n')
  expect(lines[0]).toBe('10:04:31 WARN  it failed')
  expect(lines[1]).toBe('    Error: outer (E1)')
  expect(lines[2]).toMatch(/^ {8}at .*log-text\.test\.ts/)
  expect(lines).toContain('    caused by Error: inner')
  expect(textOf({ err: { type: 'string' } })).toBe('10:04:31 WARN\n    string\n')
})

test('text from strangers cannot control the terminal', () => {
  const evil = '\u001b[2J\u009b31m\u0007\r'
  const shown = textOf({ msg: evil, [evil]: evil, list: [evil], err: { stack: `Error: ${evil}\n    at x` } })
  expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  expect(shown).toContain('\\x1b[2J')
})

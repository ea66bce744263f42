import { expect, test } from 'vitest'
import { errorForLog } from './logger.ts'

test('only an error’s own fields are logged, not what a library attached to it', () => {
  const cause = Object.assign(new Error('inner'), { detail: 'Failing row contains (secret)' })
  const error = Object.assign(new Error('outer', { cause }), {
    code: '23514',
    command: { name: 'auth', args: ['secret'] },
  })
  expect(errorForLog(error)).toEqual({
    type: 'Error',
    message: 'outer',
    code: '23514',
    stack: expect.stringContaining('Error: outer'),
    cause: { type: 'Error', message: 'inner', stack: expect.any(String) },
  })
  expect(errorForLog('secret')).toEqual({ type: 'string' })
})

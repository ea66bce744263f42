import { limits } from '@atrium/contract'
import { expect, test } from 'vitest'
import { CallFailed } from '../../api/call.ts'
import { checkForm, emptyForm, exampleFor, type KeyForm, problemsIn } from './key-form.ts'

const now = Date.UTC(2030, 0, 1)
const filled: KeyForm = { ...emptyForm, name: ' Nightly ' }

test('a form becomes the body that the contract describes', () => {
  expect(checkForm(filled, now)).toEqual({
    kind: 'valid',
    body: { name: 'Nightly', access: 'read', expiresAt: '2030-04-01T00:00:00.000Z' },
  })
  const limited: KeyForm = {
    ...filled,
    access: 'write',
    scope: 'some',
    experiments: ['exp_1'],
    lifetime: 'never',
  }
  expect(checkForm(limited, now)).toEqual({
    kind: 'valid',
    body: { name: 'Nightly', access: 'write', experiments: ['exp_1'] },
  })
  // Chosen and then given up again.
  expect(checkForm({ ...limited, scope: 'all' }, now)).toEqual({
    kind: 'valid',
    body: { name: 'Nightly', access: 'write' },
  })
})

test('what is missing is said at its field', () => {
  const found = checkForm({ ...emptyForm, name: ' ', scope: 'some' }, now)
  expect(found).toEqual({
    kind: 'invalid',
    problems: { name: 'Please enter a name.', experiments: 'Please choose at least one study.' },
  })
  const experiments = Array.from({ length: limits.experimentsPerKey + 1 }, (_, at) => `exp_${at}`)
  expect(checkForm({ ...filled, scope: 'some', experiments }, now)).toEqual({
    kind: 'invalid',
    problems: { experiments: 'Please choose at most 100 studies.' },
  })
})

test('what the server refuses is said at its field, too', () => {
  const refused = (path: string) =>
    new CallFailed('VALIDATION_FAILED', 'No.', 400, { issues: [{ path, message: 'is wrong' }] })
  expect(problemsIn(refused('/experiments/3'))).toEqual({ experiments: 'Is wrong.' })
  expect(problemsIn(refused('/name'))).toEqual({ name: 'Is wrong.' })
  expect(problemsIn(refused('/expiresAt'))).toEqual({})
  expect(problemsIn(new Error('offline'))).toEqual({})
})

test('the example names an experiment that the key can use, and never the key', () => {
  const authorised = 'curl --fail --header "Authorization: Bearer $ATRIUM_KEY" https://a.org/api/experiments'
  expect(exampleFor('https://a.org', undefined)).toBe(authorised)
  expect(exampleFor('https://a.org', ['exp_1', 'exp_2'])).toBe(`${authorised}/exp_1/export`)
})

import type { Credential } from '@atrium/contract'
import { expect, test } from 'vitest'
import { CallFailed } from '../../../api/call.ts'
import { type CredentialForm, checkForm, firstProblem, formFor, problemsIn } from './credential-form.ts'

const credential: Credential = {
  credentialId: 'cred_1',
  name: 'The lab’s model',
  provider: 'Custom',
  baseUrl: 'https://models.example.org/v1',
  model: 'm',
  timeoutMs: 30_000,
  keyHint: 'cdef',
  isKeyReadable: true,
  isOwn: true,
  createdAt: '2026-08-03T12:00:00.000Z',
  changedAt: '2026-08-03T12:00:00.000Z',
  lastTestedAt: null,
  lastTest: null,
  usedBy: [],
}
const filled: CredentialForm = {
  name: ' Lab ',
  baseUrl: 'https://models.example.org/v1/',
  apiKey: ' atr_key ',
  model: 'm',
  timeoutSeconds: 60,
}
const problemsOf = (form: CredentialForm, existing?: Credential) => {
  const checked = checkForm(form, existing)
  return checked.kind === 'invalid' ? checked.problems : {}
}

test('[R42] a filled form becomes a request, in the units of the contract', () => {
  expect(checkForm(filled, undefined)).toEqual({
    kind: 'valid',
    body: {
      name: 'Lab',
      provider: 'Custom',
      baseUrl: 'https://models.example.org/v1/',
      model: 'm',
      timeoutMs: 60_000,
      apiKey: 'atr_key',
    },
  })
})

test('[R42] every field says what it lacks, and the first of them comes first', () => {
  const problems = problemsOf({ name: ' ', baseUrl: '', apiKey: '', model: '', timeoutSeconds: 9 })
  expect(problems).toEqual({
    name: 'Please enter a name.',
    baseUrl: 'Please enter the base URL.',
    apiKey: 'Please enter the API key.',
    model: 'Please enter the name of the model.',
    timeoutSeconds: 'A number of seconds from 10 to 300.',
  })
  expect(firstProblem(problems)).toBe('name')
  expect(problemsOf({ ...filled, baseUrl: 'https://models.example.org' }).baseUrl).toBe('Must end in /v1.')
  expect(problemsOf({ ...filled, timeoutSeconds: '' }).timeoutSeconds).toBeDefined()
})

test('[R42] the key is kept when it is left empty, unless it would go to another server', () => {
  const form = { ...formFor(credential), name: 'Renamed' }
  expect(form).toMatchObject({ apiKey: '', timeoutSeconds: 30 })
  expect(checkForm(form, credential)).toMatchObject({ kind: 'valid', body: { name: 'Renamed' } })
  expect(checkForm(form, credential)).not.toHaveProperty('body.apiKey')
  const elsewhere = { ...form, baseUrl: 'https://other.example.org/v1' }
  expect(problemsOf(elsewhere, credential)).toEqual({ apiKey: 'Please enter the API key.' })
  expect(problemsOf({ ...elsewhere, apiKey: 'atr_other' }, credential)).toEqual({})
  expect(problemsOf(form, { ...credential, isKeyReadable: false })).toHaveProperty('apiKey')
})

test('[R42] what the server finds appears next to its field, as a sentence', () => {
  const issues = [
    { path: '/timeoutMs', message: 'must be at least 10000' },
    { path: '/baseUrl', message: 'this address is not allowed here' },
  ]
  const refused = new CallFailed('VALIDATION_FAILED', 'x', 400, { issues })
  expect(problemsIn(refused)).toEqual({
    baseUrl: 'This address is not allowed here.',
    timeoutSeconds: 'Must be at least 10000.',
  })
  expect(problemsIn(new Error('no answer'))).toEqual({})
})

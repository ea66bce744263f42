import { beforeEach, expect, test } from 'vitest'
import { forgetPerson, identityOf, recallPerson, rememberPerson } from './development-person.ts'

const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}
beforeEach(() => kept.clear())

test('the person is remembered across a reload, but not after signing out', () => {
  rememberPerson(storage, { name: 'Ada', role: 'admin' })
  expect(recallPerson(storage)).toEqual({ name: 'Ada', role: 'admin' })
  forgetPerson(storage)
  expect(recallPerson(storage)).toBeUndefined()
})

test.each(['{', '"Ada"', '{"name":"Ada"}', '{"name":" ","role":"admin"}', '{"name":"Ada","role":"queen"}'])(
  'what is not a person is asked again: %s',
  (text) => {
    rememberPerson(storage, { name: 'Ada', role: 'admin' })
    for (const key of kept.keys()) kept.set(key, text)
    expect(recallPerson(storage)).toBeUndefined()
  },
)

test('the same name is the same subject', () => {
  expect(identityOf({ name: ' Ada ', role: 'researcher' })).toEqual({
    sub: 'console:ada',
    name: 'Ada',
    roles: ['researcher'],
  })
})

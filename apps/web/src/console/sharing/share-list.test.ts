import { limits, type Share } from '@atrium/contract'
import { expect, test } from 'vitest'
import { problemWith, userNamed, withAccess, without } from './share-list.ts'

const shares: Share[] = [
  { user: 'ada@x.org', access: 'view' },
  { user: 'bob', access: 'edit' },
]

test('[R37] in development mode a plain name reaches who signs in with it', () => {
  for (const written of ['ada', ' Ada ', 'console:ada']) expect(userNamed(written, true)).toBe('console:ada')
  expect([userNamed('', true), userNamed('Ada@x.org', true)]).toEqual(['', 'Ada@x.org'])
  expect(userNamed(' auth0|Ada ', false)).toBe('auth0|Ada')
})

test('somebody new can be added', () => {
  for (const user of ['carl', 'carl@x.org', 'Bob', 'x'.repeat(255)])
    expect(problemWith(user, shares)).toBeUndefined()
})

test('an empty name, an invalid address and a known person cannot', () => {
  for (const user of ['', 'x'.repeat(256), '@', 'a b@x.org', 'ada@', 'a@b@c', 'ADA@x.org', 'bob'])
    expect(problemWith(user, shares), user).toBeDefined()
})

test('a full list takes nobody', () => {
  const full = Array.from(
    { length: limits.sharesPerExperiment },
    (_, at): Share => ({ user: `p${at}`, access: 'view' }),
  )
  expect(problemWith('one more', full)).toContain(String(limits.sharesPerExperiment))
})

test('changing or removing one share leaves the others alone', () => {
  expect(withAccess(shares, { user: 'ada@x.org', access: 'edit' })).toEqual([
    { user: 'ada@x.org', access: 'edit' },
    { user: 'bob', access: 'edit' },
  ])
  expect(without(shares, 'ada@x.org')).toEqual([{ user: 'bob', access: 'edit' }])
})

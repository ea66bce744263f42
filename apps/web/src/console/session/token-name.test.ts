import { expect, test } from 'vitest'
import { nameInToken } from './token-name.ts'

const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('the name, or else the e-mail address, or else the subject', () => {
  expect(nameInToken(token({ sub: '7', email: 'a@b.org', name: 'Zoë Ångström 🙂' }))).toBe('Zoë Ångström 🙂')
  expect(nameInToken(token({ sub: '7', email: 'a@b.org' }))).toBe('a@b.org')
  expect(nameInToken(token({ sub: '7', name: '' }))).toBe('7')
})

test('a token that cannot be read still has a name to show', () => {
  expect(nameInToken('opaque')).toBe('Signed in')
  expect(nameInToken(token({}))).toBe('Signed in')
})

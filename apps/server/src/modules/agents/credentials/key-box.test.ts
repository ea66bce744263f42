import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseSealingKeys, type SealingKey, sealingKeyFrom } from '../../../kernel/sealing-keys.ts'
import { createKeyBox } from './key-box.ts'

const aKey = (id: string): SealingKey => ({ id, key: randomBytes(32) })
const secret = 'atr_The key of a model server'

test('[R42,AC2] what is sealed opens again, for the same subject only, and never looks the same twice', () => {
  const box = createKeyBox([aKey('k1')])
  const [sealed, again] = [box.seal(secret, 'cred_1'), box.seal(secret, 'cred_1')]
  expect(sealed).not.toBe(again)
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('atr_')
  expect(box.open(sealed, 'cred_1')).toEqual({ kind: 'opened', text: secret })
  expect(box.open(sealed, 'cred_2')).toEqual({ kind: 'damaged' })
  expect(box.open(box.seal('', 'x'), 'x')).toEqual({ kind: 'opened', text: '' })
})

test('[R42] a sealed text with any character changed does not open', () => {
  const box = createKeyBox([aKey('k1')])
  const sealed = box.seal('short', 'cred_1')
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
    // The last character holds fewer bits than it could; a change of the unused ones changes nothing.
    const isSameBytes =
      Buffer.from(changed.slice(6), 'base64url').equals(Buffer.from(sealed.slice(6), 'base64url')) && at > 5
    if (!isSameBytes) expect(box.open(changed, 'cred_1').kind, changed).not.toBe('opened')
  }
  for (const odd of ['', 'v1.k1.', 'v1.k1.AAAA', 'v2.k1.AAAA', 'v1..AAAA', sealed.slice(0, -8), `${sealed} `])
    expect(box.open(odd, 'cred_1')).toEqual({ kind: 'damaged' })
})

test('[R42,AC2] keys are rotated: the first seals, all open, and a missing one is named', () => {
  const [older, newer] = [aKey('2025'), aKey('2026')]
  const before = createKeyBox([older])
  const during = createKeyBox([newer, older])
  const after = createKeyBox([newer])
  const sealed = before.seal(secret, 'cred_1')
  expect(during.open(sealed, 'cred_1')).toEqual({ kind: 'opened', text: secret })
  expect(sealed.startsWith(during.currentPrefix)).toBe(false)
  expect(during.seal(secret, 'cred_1').startsWith(during.currentPrefix)).toBe(true)
  expect(after.open(sealed, 'cred_1')).toEqual({ kind: 'key_missing', keyId: '2025' })
  expect([during.canOpen(sealed), after.canOpen(sealed), after.canOpen('rubbish')]).toEqual([
    true,
    false,
    false,
  ])
  const impostor = createKeyBox([{ id: '2025', key: newer.key }])
  expect(impostor.open(sealed, 'cred_1')).toEqual({ kind: 'damaged' })
})

test('[R42] CREDENTIAL_KEYS is a list of names and keys of 32 bytes, and anything else is refused', () => {
  const [one, two] = [aKey('a'), aKey('b-2')]
  const written = ({ id, key }: SealingKey, encoding: 'base64' | 'base64url' = 'base64') =>
    `${id}:${key.toString(encoding)}`
  expect(parseSealingKeys(written(one))).toEqual([one])
  expect(parseSealingKeys(`${written(one)} , ${written(two, 'base64url')}`)).toEqual([one, two])
  for (const wrong of [
    '',
    ',',
    `${written(one)},`,
    `${written(one)},${written({ ...two, id: 'a' })}`,
    one.key.toString('base64'),
    `:${one.key.toString('base64')}`,
    `_a:${one.key.toString('base64')}`,
    `a.b:${one.key.toString('base64')}`,
    `a:${randomBytes(31).toString('base64')}`,
    `a:${randomBytes(33).toString('base64')}`,
    `a:${randomBytes(64).toString('base64')}`,
    `a:${'!'.repeat(44)}`,
  ])
    expect(parseSealingKeys(wrong), wrong).toBeUndefined()
})

test('[R42] a key from a secret of our own is always the same, and named after it', () => {
  const secret = randomBytes(32).toString('base64url')
  expect(sealingKeyFrom(secret)).toEqual(sealingKeyFrom(secret))
  expect(sealingKeyFrom(secret).key).toHaveLength(32)
  expect(sealingKeyFrom(secret).id).not.toBe(sealingKeyFrom(`${secret}x`).id)
  expect(parseSealingKeys(`${sealingKeyFrom(secret).id}:${'A'.repeat(43)}=`)).toBeUndefined()
})

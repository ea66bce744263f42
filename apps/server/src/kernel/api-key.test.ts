import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../test/seed.ts'
import { hashOfKey, hideApiKeys, isKeyWithHash, keyIdOf, newApiKey } from './api-key.ts'
import { hideSessionIds } from './ids.ts'

const form = /^atk_[0-9A-Za-z]{54}$/

test('[R49,K1] a key has a form that scanners recognise, names itself, and no two are alike', () => {
  const made = Array.from({ length: 500 }, newApiKey)
  for (const { keyId, key } of made) {
    expect(key).toMatch(form)
    expect(keyId).toBe(`key_${key.slice(4, 20)}`)
    expect(keyIdOf(key)).toBe(keyId)
  }
  expect(new Set(made.map(({ key }) => key)).size).toBe(made.length)
  expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(made.length)
  // All 62 characters occur in the random part, so none of its bits are fixed.
  const drawn = new Set(made.map(({ key }) => key.slice(4, -6)).join(''))
  expect(drawn.size).toBe(62)
})

test(`[R49,K1] a key with any other character, or cut off, is no key (TEST_SEED=${seeded.seed})`, () => {
  const { key } = newApiKey()
  const letter = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- \0é')
  let refused = 0
  let runs = 0
  fc.assert(
    fc.property(fc.nat(key.length - 1), letter, (at, other) => {
      fc.pre(key[at] !== other)
      runs++
      if (keyIdOf(key.slice(0, at) + other + key.slice(at + 1)) === undefined) refused++
    }),
    { ...seeded, numRuns: 1_000 },
  )
  // The checksum has six characters: one in 62^6 wrong keys gets past it, to be refused by its hash.
  expect(refused).toBe(runs)
  for (let length = 0; length < key.length; length++) expect(keyIdOf(key.slice(0, length))).toBeUndefined()
  for (const odd of ['', `${key}x`, ` ${key}`, `${key}\n`, key.toUpperCase(), `sess_${key}`])
    expect(keyIdOf(odd)).toBeUndefined()
})

test('[R49,K1] only the key itself has its hash', () => {
  const [one, other] = [newApiKey().key, newApiKey().key]
  const stored = hashOfKey(one)
  expect(stored).toMatch(/^[0-9a-f]{64}$/)
  expect(isKeyWithHash(one, stored)).toBe(true)
  expect(isKeyWithHash(other, stored)).toBe(false)
  expect(isKeyWithHash(one, '')).toBe(false)
  expect(isKeyWithHash(stored, stored)).toBe(false)
})

test('[R49] in a text, the id takes the place of a key, and no part of its secret remains', () => {
  const { keyId, key } = newApiKey()
  const secret = key.slice(20, -6)
  expect(hideApiKeys(`Bearer ${key}.`)).toBe(`Bearer ${keyId}.`)
  expect(hideApiKeys('an atk_ is no key, nor is atk_short')).toBe('an atk_ is no key, nor is atk_short')
  const surroundings = ['atk_', 'atk_atk_', `atk_${'A'.repeat(38)}`, `atk_${'A'.repeat(8)}`, key, 'xatk_A_']
  for (const before of surroundings) {
    const hidden = hideApiKeys(before + key)
    for (let at = 0; at + 8 <= secret.length; at++) expect(hidden).not.toContain(secret.slice(at, at + 8))
  }
  // Cut off, as a log line may be.
  expect(hideApiKeys(key.slice(0, 30))).toBe(keyId)
  expect(hideSessionIds(JSON.stringify({ text: key }))).toBe(JSON.stringify({ text: keyId }))
})

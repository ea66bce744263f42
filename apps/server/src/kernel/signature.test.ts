import { expect, test } from 'vitest'
import { personIn, readSignature, signatureOf } from './signature.ts'

test('[R49] a signature says who acted and with which key', () => {
  const person = 'https://id.example.org ada with spaces key_x'
  expect(readSignature(signatureOf(person, undefined))).toEqual({ person, keyId: undefined })
  expect(readSignature(signatureOf(person, 'key_1'))).toEqual({ person, keyId: 'key_1' })
  expect(personIn(signatureOf(person, 'key_1'))).toBe(person)
})

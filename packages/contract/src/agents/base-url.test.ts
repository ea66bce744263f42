import { expect, test } from 'vitest'
import { parseModelBaseUrl } from './base-url.ts'

test.each([
  ['https://model.example.org/v1', 'https://model.example.org/v1'],
  ['https://model.example.org/v1/', 'https://model.example.org/v1'],
  ['HTTPS://Model.Example.ORG:443/v1', 'https://model.example.org/v1'],
  ['http://127.0.0.1:8080/lab/v1', 'http://127.0.0.1:8080/lab/v1'],
  ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ['https://model.example.org/a/../v1', 'https://model.example.org/v1'],
  ['https://model.example.org\\v1', 'https://model.example.org/v1'],
])('[R42,AC1] %s is stored as %s', (text, url) => {
  expect(parseModelBaseUrl(text)).toEqual({ kind: 'valid', url })
})

test.each([
  ['https://model.example.org', 'end in /v1'],
  ['https://model.example.org/v10', 'end in /v1'],
  ['https://model.example.org/v1/models', 'end in /v1'],
  ['https://model.example.org/V1', 'end in /v1'],
  ['https://ada:secret@model.example.org/v1', 'user name or password'],
  ['https://ada@model.example.org/v1', 'user name or password'],
  ['https://model.example.org/v1?key=x', 'query'],
  ['https://model.example.org/?x=/v1', 'query'],
  ['https://model.example.org/#/v1', 'fragment'],
  ['ftp://model.example.org/v1', 'http or https'],
  ['javascript:alert(1)//v1', 'http or https'],
  ['https:model.example.org/v1', 'http or https'],
  ['model.example.org/v1', 'http or https'],
  ['https://[::1/v1', 'http or https'],
  ['https://model.exa\nmple.org/v1', 'spaces'],
  [' https://model.example.org/v1', 'spaces'],
  ['https://modèle.example.org/v1', 'ASCII'],
  [`https://model.example.org/${'x'.repeat(2_000)}/v1`, '2000 characters'],
])('[R42,AC1] %s is refused, because of %s', (text, reason) => {
  expect(parseModelBaseUrl(text)).toMatchObject({ kind: 'invalid', because: expect.stringContaining(reason) })
})

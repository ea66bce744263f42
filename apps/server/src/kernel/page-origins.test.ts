import { expect, test } from 'vitest'
import { parsePageOrigins } from './page-origins.ts'

test('a list of exact origins is read, with spaces and without repeats', () => {
  expect([...(parsePageOrigins('') ?? ['?'])]).toEqual([])
  const list = 'https://lab.example.org, http://127.0.0.1:8080 ,https://lab.example.org'
  expect([...(parsePageOrigins(list) ?? [])]).toEqual(['https://lab.example.org', 'http://127.0.0.1:8080'])
})

test.each([
  '*',
  'null',
  'lab.example.org',
  'https://*.example.org/',
  'https://lab.example.org/',
  'https://lab.example.org/study',
  'https://lab.example.org:443',
  'https://LAB.example.org',
  'https://somebody@lab.example.org',
  'ftp://lab.example.org',
  'file:///home/study.html',
  Array.from({ length: 51 }, (_, number) => `https://lab${number}.example.org`).join(),
])('anything else is refused: %s', (list) => {
  expect(parsePageOrigins(list)).toBeUndefined()
})

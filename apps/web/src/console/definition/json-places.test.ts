import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineAndColumn, placeOf, readJson } from './json-places.ts'

function found(text: string, pointer: string): string {
  const read = readJson(text)
  if (!read.ok) throw new Error(read.message)
  const { from, to } = placeOf(read.places, pointer)
  return text.slice(from, to)
}

describe('places', () => {
  const text = '{ "name": "A\\"b",\n  "states": [ {"id": "s1"}, {"id": "s2", "a/b~c": -1.5e3} ] }'

  test.each([
    ['/name', '"A\\"b"'],
    ['/states/1/id', '"s2"'],
    ['/states/0', '{"id": "s1"}'],
    ['/states/1/a~1b~0c', '-1.5e3'],
  ])('%s is where it stands', (pointer, expected) => {
    expect(found(text, pointer)).toBe(expected)
  })

  test('what is missing is found at what should hold it', () => {
    expect(found(text, '/states/0/components')).toBe('{"id": "s1"}')
    expect(found(text, '/matching/groupSize')).toBe(text)
  })
})

test.each([
  ['', 0, 'ends here'],
  ['{"a": 1,}', 8, 'comma too many'],
  ['[1,]', 3, 'comma too many'],
  ['{"a" 1}', 5, 'colon'],
  ['{"a": 1 "b": 2}', 8, 'comma or }'],
  ['{a: 1}', 1, 'name in double quotes'],
  ['{"a": \'x\'}', 6, 'double quotes'],
  ['{"a": "x\ny"}', 6, 'closing quote'],
  ['{"a": 01}', 7, 'comma or }'],
  ['{} x', 3, 'after the end'],
  ['{"a": tru}', 6, 'no value'],
  ['['.repeat(100), 64, 'nested too deep'],
])('%j is refused at %i: %s', (text, at, message) => {
  expect(readJson(text)).toEqual({ ok: false, at, message: expect.stringContaining(message) })
})

test('lines and columns are counted from 1', () => {
  expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
  expect(lineAndColumn('ab\ncd', 4)).toEqual({ line: 2, column: 2 })
})

test('whatever JSON.parse reads is read, and whatever it refuses is refused', () => {
  const agrees = (text: string) => {
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    expect(readJson(text).ok).toBe(isJson)
  }
  fc.assert(fc.property(fc.json({ maxDepth: 5 }), agrees))
  const example = readFileSync('examples/quick-survey.json', 'utf8')
  const cut = fc.tuple(fc.nat(example.length), fc.nat(3), fc.constantFrom('', '"', ',', '}', '\\', '0', ' '))
  fc.assert(
    fc.property(cut, ([at, length, put]) => agrees(example.slice(0, at) + put + example.slice(at + length))),
  )
})

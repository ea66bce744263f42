import { limits } from '@atrium/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBoundedJson } from './bounded-json.ts'

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`

it('reads JSON up to the depth that can be stored, and not a level more', () => {
  expect(readBoundedJson(nested(limits.jsonDepth)).kind).toBe('json')
  expect(readBoundedJson(`[${nested(limits.jsonDepth)}]`)).toEqual({
    kind: 'unusable',
    because: 'is nested too deep',
  })
})

it('brackets in strings are not depth', () => {
  const text = JSON.stringify({ a: `${'[{'.repeat(100)}"\\`, '\\"[': `\\${'{'.repeat(100)}` })
  expect(readBoundedJson(text)).toEqual({ kind: 'json', value: JSON.parse(text) })
})

it('agrees with JSON.parse on everything that is not too deep', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const read = readBoundedJson(text)
      if (read.kind !== 'unusable') expect(read).toEqual({ kind: 'json', value: JSON.parse(text) })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ':', '1') }), (text) => {
      if (readBoundedJson(text).kind === 'json') expect(() => JSON.parse(text)).not.toThrow()
    }),
  )
})

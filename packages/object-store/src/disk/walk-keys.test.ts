import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { objectPath } from './key-path.ts'
import { walkKeys } from './walk-keys.ts'

const folder = createTemporaryFolder('walk')
afterAll(() => folder.remove())

const inOrder = (keys: Iterable<string>): string[] =>
  [...new Set(keys)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

/** Mostly collisions: few characters, around the slash and the marks of names, and segments around the longest name. */
const segment = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', '-', '.', '0', '~', '=', '+', '%', 'ü', '🎬'), maxLength: 3 }),
  fc.integer({ min: 198, max: 202 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 66, max: 70 }).map((length) => `${'Ü'.repeat(length)}.`),
)
const key = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((text) => text !== '')

test('[O7][O8] any set of keys can be stored together, and is listed in the order of bytes', async () => {
  const cases = fc.record({
    keys: fc.array(key, { maxLength: 25 }),
    prefix: fc.oneof(
      fc.constant(''),
      key.map((text) => [...text].slice(0, 3).join('')), // Whole characters.
    ),
    after: fc.oneof(fc.constant(''), key),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ keys, prefix, after }) => {
      const root = mkdtempSync(join(folder.path, 'case-'))
      for (const text of keys) {
        const path = objectPath(root, text)
        expect(path.startsWith(`${root}/`)).toBe(true)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, '')
      }
      const found: string[] = []
      for await (const { key } of walkKeys(root, prefix, Buffer.from(after))) found.push(key)
      const isAfter = (text: string) => Buffer.compare(Buffer.from(text), Buffer.from(after)) > 0
      expect(found).toEqual(inOrder(keys).filter((text) => text.startsWith(prefix) && isAfter(text)))
    }),
    { numRuns: 60 },
  )
})

test('[O7] different keys never share a path', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(objectPath('/root', a) === objectPath('/root', b)).toBe(a === b)
      expect(objectPath('/root', a)).toMatch(/^\/root\/.*=$/)
      for (const name of objectPath('/root', a).split('/')) expect(name.length).toBeLessThanOrEqual(201)
    }),
  )
})

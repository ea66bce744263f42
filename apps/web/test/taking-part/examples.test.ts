import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exampleStories } from './examples.ts'

test('every example has its story, which is told in every language and both browsers', () => {
  const files = readdirSync(new URL('../../../../examples', import.meta.url), { withFileTypes: true })
  const names = files.filter((entry) => entry.isFile()).map(({ name }) => name.replace(/\.json$/, ''))
  expect(Object.keys(exampleStories).toSorted()).toEqual(names.toSorted())
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { componentTypes } from '@atrium/contract/components'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { chapters, takeGallery } from './gallery.ts'

test('a page in four forms becomes one small WebP picture', async () => {
  const docs = createTemporaryFolder('gallery')
  const said: string[] = []
  await takeGallery(docs.path, ['no-page'], (line) => said.push(line))
  const picture = readFileSync(join(docs.path, 'gallery', 'no-page.webp'))
  expect([picture.toString('latin1', 0, 4), picture.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP'])
  // Two phones and two desktops side by side, with the gaps between them.
  expect(picture.readUIntLE(24, 3) + 1).toBe(2 * 240 + 2 * 560 + 5 * 8)
  expect(said).toEqual([expect.stringMatching(/^no-page: \d+ kB$/)])
  // The page about all pictures is written only when all were taken.
  expect(existsSync(join(docs.path, 'gallery.md'))).toBe(false)
  docs.remove()
})

test('a scene that does not exist is refused before anything starts', async () => {
  await expect(takeGallery('/nowhere', ['no-such-page'], () => undefined)).rejects.toThrow('no-such-page')
})

test('every component type has a scene, and no two scenes have the same name', () => {
  const names = chapters.flatMap(({ scenes }) => scenes.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  for (const type of Object.keys(componentTypes))
    expect(names).toContain(`component-${type.replaceAll('_', '-')}`)
})

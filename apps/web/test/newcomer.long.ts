import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { steps } from './tutorial/steps.ts'
import { tellStory } from './tutorial/tell-story.ts'
import { docsFolder, readWrittenSteps } from './tutorial/written-steps.ts'

const written = readWrittenSteps()

test('the tutorial has the steps of the story, in its order, and every picture', () => {
  expect(written.map(({ title }) => title)).toEqual(Object.keys(steps))
  for (const picture of written.flatMap(({ pictures }) => pictures))
    expect(existsSync(join(docsFolder, 'first-study', `${picture}.webp`)), picture).toBe(true)
})

test('a newcomer follows the tutorial from a fresh installation to the data and a restored revision', async () => {
  let told = 0
  const { pageErrors } = await tellStory({
    onPicture: (_, webp) => expect(webp.toString('latin1', 8, 12)).toBe('WEBP'),
    onStep({ title, deeds, pictures }) {
      const page = written.find((step) => step.title === title)
      // What the page names is what was pressed and filled in, and nothing else was needed.
      expect({ title, named: [...deeds.named].sort() }).toEqual({ title, named: page?.named })
      expect({ title, typed: [...deeds.typed].sort() }).toEqual({ title, typed: page?.typed })
      expect({ title, pictures: pictures.toSorted() }).toEqual({ title, pictures: page?.pictures })
      told += 1
    },
  })
  expect(told).toBe(written.length)
  expect(pageErrors).toEqual([])
})

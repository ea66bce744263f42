import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chapters } from './gallery/gallery.ts'
import { forms, takeForm } from './gallery/take-sheet.ts'
import { createVisit } from './gallery/visit.ts'
import { expectGoodPage } from './good-page.ts'
import { movingParts } from './moving-parts.ts'
import { useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const scenes = chapters.flatMap(({ scenes }) => scenes)

test.each(scenes.map((scene) => [scene.name, scene] as const))(
  '%s: accessible, still and within the screen, at 360 px and on a desktop, in light and dark',
  async (name, { reach }) => {
    const visit = createVisit(world, browser())
    const page = await reach(visit)
    for (const form of forms) {
      await takeForm(page, form)
      await expectGoodPage(page, `${name}, ${form.name}`)
      // A form asks for reduced motion.
      expect(await movingParts(page), `${name}, ${form.name}`).toEqual([])
    }
    await visit.leave()
  },
)

test('for everybody else the waiting room moves', async () => {
  const visit = createVisit(world, browser())
  const page = await scenes.find(({ name }) => name === 'waiting')?.reach(visit)
  if (!page) throw new Error('there is no waiting room in the gallery')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await movingParts(page)).not.toEqual([])
  await visit.leave()
})

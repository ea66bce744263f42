import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { example } from '../example.ts'
import { expectGoodPage } from '../good-page.ts'
import { movingParts } from '../moving-parts.ts'
import { openStudy } from '../people.ts'
import { type ChromiumWindow, openChromium } from './chromium.ts'
import { exampleStories } from './examples.ts'
import { layoutShiftIn } from './layout-shift.ts'
import { type Participant, participantIn } from './participant.ts'
import { wordsIn } from './words.ts'

const phone = { width: 360, height: 740 }
const desktop = { width: 1_280, height: 800 }

let world: World
let browser: Awaited<ReturnType<typeof openChromium>>
beforeAll(async () => {
  world = await startWorld('embedded')
  browser = await openChromium()
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

/** Everyone in windows of one size. What is to be seen at every step is looked at before a person continues. */
async function play(
  name: string,
  size: typeof phone,
  prepare: (window: ChromiumWindow) => Promise<void> = async () => undefined,
  look: (window: ChromiumWindow) => Promise<void> = async () => undefined,
): Promise<ChromiumWindow[]> {
  const story = exampleStories[name]
  if (!story) throw new Error(`no story of ${name}`)
  const { link } = await openStudy(world, example(name))
  const words = await wordsIn('en')
  const windows: ChromiumWindow[] = []
  const people: Participant[] = []
  for (const role of story.roles) {
    const window = await browser.openWindow(size)
    await prepare(window)
    await window.open(role === undefined ? link : `${link}?role=${role}`)
    windows.push(window)
    const person = participantIn(window, words)
    const goOn = async () => {
      await look(window)
      await person.goOn()
    }
    people.push({ ...person, goOn })
  }
  await story.play(people)
  for (const [index, person] of people.entries()) {
    await person.sees(story.code)
    const window = windows[index]
    if (window) await look(window)
  }
  return windows
}

const maxShift = 0.02
const everyExample = Object.keys(exampleStories)

test.each(
  everyExample.flatMap((name) => [[name, 'a phone', phone] as const, [name, 'a desktop', desktop] as const]),
)('%s on %s: nothing jumps from the link to the code', async (name, where, size) => {
  const windows = await play(name, size)
  for (const window of windows) {
    const shift = await layoutShiftIn(window)
    console.log(
      `${name} on ${where}: layout shift ${shift.unexpected.toFixed(4)}, with what follows input ${shift.total.toFixed(4)}`,
    )
    expect(shift.unexpected, shift.sources.join('\n')).toBeLessThanOrEqual(maxShift)
    await window.close()
  }
})

test.each(everyExample)('%s: axe finds nothing in any state, in light and dark at 360 px', async (name) => {
  const windows = await play(name, phone, undefined, async ({ page }) => {
    await expectGoodPage(page, name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectGoodPage(page, `${name}, dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  })
  for (const window of windows) await window.close()
})

test('reduced motion: nothing on any page of a study moves by itself', async () => {
  const windows = await play(
    'quick-survey',
    phone,
    ({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }),
    async ({ page }) => {
      expect(await movingParts(page)).toEqual([])
    },
  )
  for (const window of windows) await window.close()
})

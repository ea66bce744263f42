import type { ExperimentDefinition } from '@atrium/contract'
import { startWorld, type World, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { clickIfShown, createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'
import { serveTone } from './tone.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const laptop = { width: 1_100, height: 640 }

/** The video stops soon, for a rating that begins below the window. */
const study: ExperimentDefinition = {
  name: 'Stopped for a rating',
  states: [
    {
      id: 'watch',
      name: 'Watch',
      instructions: 'Please watch the video.\n\n'.repeat(5),
      components: [
        component('film', 'video', { src: '/examples/film.mp4', durationMs: 20_000 }),
        component('liking', 'sparse_rating', { label: 'Do you like it?', atMs: [500], required: true }),
      ],
      end: { on: 'all_responded' },
    },
    { id: 'bye', name: 'Thank you', components: [] },
  ],
  matching: { groupSize: 2 },
}

/** The browser decides whether a video starts automatically; if not, the page offers a button. */
async function untilAsked(page: Page): Promise<void> {
  const start = page.getByRole('button', { name: 'Start' })
  const asked = page.getByRole('button', { name: 'Submit rating' })
  await waitUntil(async () => {
    await clickIfShown(start)
    return (await asked.isVisible()) || 'no rating is asked for'
  })
}

const untilInWindow = (page: Page) =>
  waitUntil(async () => {
    const { y, height } = (await page.locator('.asked').boundingBox()) ?? { y: Number.NaN, height: 0 }
    const isSeen = y >= 0 && y + height <= laptop.height
    return isSeen || `the rating goes from ${y} to ${y + height} in a window of ${laptop.height}`
  })

async function rate(page: Page): Promise<void> {
  await page.getByRole('slider').focus()
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Submit rating' }).click()
}

test('[R27] a video that is held for a rating asks for it, and only those who have given it wait for the others', async () => {
  const { link } = await openStudy(world, study)
  const [ann, ben] = await Promise.all([
    createPersonWithBrowser(browser(), laptop),
    createPersonWithBrowser(browser(), laptop),
  ])
  const people = [ann, ben]
  await Promise.all(people.map(({ page }) => page.goto(link)))
  for (const { page } of people) await untilAsked(page)
  const statusOf = ({ page }: typeof ann) => page.locator('.player-status').textContent()
  for (const person of people) {
    expect(await statusOf(person)).toBe('Please give your rating to continue.')
    expect(await person.page.getByText('Saved.').count()).toBe(0)
    await untilInWindow(person.page)
  }
  await expectGoodPage(ann.page, 'held for a rating')
  // The picture comes after the question, and pushes it down.
  const video = Promise.withResolvers<void>()
  await ann.page.route('**/examples/film.mp4', (route) => video.promise.then(() => route.continue()))
  await ann.page.reload()
  await untilAsked(ann.page)
  video.resolve()
  await ann.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0)
  await untilInWindow(ann.page)

  await rate(ann.page)
  await ann.page.getByText('Waiting for the others …').waitFor()
  expect(await ann.page.getByText('Saved.').count()).toBe(0)
  expect(await statusOf(ben)).toBe('Please give your rating to continue.')
  await rate(ben.page)
  for (const { page, pageErrors, leave } of people) {
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(pageErrors).toEqual([])
    await leave()
  }
})

test('a sound that is held in the moment of its end, and never says that it has ended, is over once it is rated', async () => {
  const tone = await serveTone(1_200)
  const { link } = await openStudy(world, {
    name: 'Held at the end',
    states: [
      {
        id: 'listen',
        components: [
          component('film', 'audio', { src: tone.address, required: true }),
          component('liking', 'sparse_rating', { label: 'Do you like it?', atMs: [500], required: true }),
        ],
        end: { on: 'all_responded' },
      },
    ],
    completion: { codes: { SUCCESS: 'HEARD-IT' } },
  })
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), laptop)
  await page.goto(link)
  await untilAsked(page)
  // As a browser does whose sound was paused before it could notice that nothing follows.
  await page.locator('audio').evaluate((sound) => {
    Object.defineProperty(sound, 'ended', { value: true })
    addEventListener('ended', (event) => event.stopImmediatePropagation(), { capture: true })
  })
  await rate(page)
  await page.getByText('HEARD-IT').waitFor()
  expect(pageErrors).toEqual([])
  await leave()
  tone.stop()
})

import { componentTypes } from '@atrium/contract/components'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from '../src/text/en/participant-pages.ts'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component, pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const placesOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, .component, .action')].map((one) => one.getBoundingClientRect().top),
  )

test.each([360, 1_280])(
  'in a window of %i px, neither the first touch of a slider nor a lost connection moves anything',
  async (width) => {
    const study = await openStudy(world, {
      name: 'Steady',
      states: [
        {
          id: 'only',
          name: 'Rate',
          components: [
            component('mood', 'slider', { label: 'How do you feel?', minLabel: 'bad', maxLabel: 'good' }),
            component('why', 'text_input', { label: 'Why?' }),
          ],
        },
      ],
    })
    const { page, context, leave } = await createPersonWithBrowser(browser(), { width, height: 740 })
    await page.goto(study.link)
    await page.getByRole('heading', { name: 'Rate' }).waitFor()
    const before = await placesOn(page)
    await page.getByRole('slider').focus()
    await page.keyboard.press('End')
    expect(await page.locator('.scale-value').textContent()).toBe('100')
    expect(await placesOn(page)).toEqual(before)
    await context.setOffline(true)
    await page.getByText(pages.room.connectionLost).waitFor()
    expect(await placesOn(page)).toEqual(before)
    await leave()
  },
)

test('a video that comes late moves nothing below it', async () => {
  const study = await openStudy(world, {
    name: 'Slow line',
    states: [
      {
        id: 'only',
        name: 'Watch',
        components: [
          component('film', 'video', { src: '/examples/film.mp4', durationMs: 20_000 }),
          component('tension', 'continuous_rating', { label: 'How tense is this?' }),
        ],
      },
    ],
  })
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 800 })
  const video = Promise.withResolvers<void>()
  await page.route('**/examples/film.mp4', (route) => video.promise.then(() => route.continue()))
  await page.goto(study.link)
  await page.getByText('How tense is this?').waitFor()
  const before = await placesOn(page)
  video.resolve()
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0)
  expect(await placesOn(page)).toEqual(before)
  await leave()
})

test('what a page of the study’s own was asked to do first is no longer asked once it is done', async () => {
  const study = await openStudy(world, {
    name: 'Own part',
    states: [
      {
        id: 'only',
        name: 'Press',
        components: [
          component('own', 'custom_html', {
            ...componentTypes.custom_html?.example.settings,
            required: true,
          }),
          component('why', 'text_input', { label: 'Why?' }),
        ],
      },
    ],
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await page.frameLocator('iframe').getByRole('button', { name: 'Press' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(pages.problems.doThisFirst).waitFor()
  await page.frameLocator('iframe').getByRole('button', { name: 'Press' }).click()
  await page.getByText(pages.problems.doThisFirst).waitFor({ state: 'detached' })
  await page.getByText(pages.problems.unanswered).waitFor()
  await leave()
})

test('a partner who is gone moves nothing on the page', async () => {
  const study = await openStudy(world, pair)
  const [ann, ben] = [
    await createPersonWithBrowser(browser(), { width: 1_280, height: 860 }),
    await createPersonWithBrowser(browser()),
  ]
  await ann.page.goto(study.link)
  await ben.page.goto(study.link)
  await ann.page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
  await ben.page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
  const before = await placesOn(ann.page)
  await ben.page.getByRole('button', { name: 'Leave the study' }).click()
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await ann.page.getByText('no longer taking part').waitFor()
  expect(await placesOn(ann.page)).toEqual(before)
  await expectGoodPage(ann.page, 'a notice above the page')
  await ann.leave()
  await ben.leave()
})

test('on a phone, a notice leaves the button at the foot where it is', async () => {
  const study = await openStudy(world, {
    name: 'Short',
    states: [{ id: 'only', name: 'Read', components: [component('t', 'text', { text: 'One line.' })] }],
    matching: { groupSize: 2 },
  })
  const [ann, ben] = [await createPersonWithBrowser(browser()), await createPersonWithBrowser(browser())]
  await ann.page.goto(study.link)
  await ben.page.goto(study.link)
  await ben.page.getByRole('heading', { name: 'Read' }).waitFor()
  await ann.page.getByRole('heading', { name: 'Read' }).waitFor()
  const topOfButton = async () => (await ann.page.getByRole('button', { name: 'Continue' }).boundingBox())?.y
  const before = await topOfButton()
  await ben.page.getByRole('button', { name: 'Leave the study' }).click()
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await ann.page.getByText('no longer taking part').waitFor()
  expect(await topOfButton()).toBe(before)
  await expectGoodPage(ann.page, 'a notice on a phone')
  await ann.leave()
  await ben.leave()
})

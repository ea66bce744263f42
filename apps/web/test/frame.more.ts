import type { ExperimentDefinition } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const timed: ExperimentDefinition = {
  name: 'A study with a long name that does not fit beside everything else in a narrow header',
  states: [
    {
      id: 'first',
      name: 'Calm',
      components: [component('why', 'text_input', { label: 'Why?' })],
      end: { on: 'button', afterMs: 180_000 },
    },
    {
      id: 'own',
      name: 'Own clock',
      components: [component('clock', 'countdown', { label: 'Hurry' })],
      end: { on: 'button', afterMs: 180_000 },
    },
    { id: 'free', name: 'No hurry', components: [component('t', 'text', { text: 'Read.' })] },
  ],
}

const topOf = async (page: Page, name: string) => (await page.getByRole('button', { name }).boundingBox())?.y

test('every state with a deadline shows its clock once, says the true time, and the way on stays in its place', async () => {
  const study = await openStudy(world, timed)
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 360, height: 740 })
  await page.goto(study.link)
  await page.getByRole('heading', { name: 'Calm' }).waitFor()
  expect((await page.locator('.page-head').boundingBox())?.height).toBeLessThanOrEqual(49)
  expect(await page.getByRole('timer').textContent()).toMatch(/^(3:00|2:\d\d)$/)
  // On arrival, and nothing that is not true then.
  await page.getByText(/^(3 minutes|2 minutes, \d+ seconds) left$/).waitFor({ state: 'attached' })
  expect(await page.locator('h1').evaluate((title) => title === document.activeElement)).toBe(true)
  expect(await page.getByText('Step 1 of 3').isVisible()).toBe(true)
  await expectGoodPage(page, 'a state with a clock')
  const place = await topOf(page, 'Continue')
  // A problem appears in the room that was kept for it.
  const before = await page.locator('[data-component="why"]').boundingBox()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Please answer this question.').waitFor()
  expect(await page.locator('[data-component="why"]').boundingBox()).toEqual(before)
  expect(await topOf(page, 'Continue')).toBe(place)
  await page.getByLabel('Why?').fill('because')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Own clock' }).waitFor()
  expect(await page.getByRole('timer').count()).toBe(1)
  expect(await topOf(page, 'Continue')).toBe(place)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'No hurry' }).waitFor()
  expect(await page.getByRole('timer').count()).toBe(0)
  expect(await topOf(page, 'Continue')).toBe(place)
  expect(pageErrors).toEqual([])
  await leave()
})

const passedAt: ExperimentDefinition = {
  name: 'Checked',
  states: [
    {
      id: 'check',
      name: 'A check',
      components: [
        component('quiz', 'instructions', {
          questions: [{ id: 'sum', label: '1 + 1', options: ['2', '3'], correct: '2' }],
        }),
      ],
      end: { on: 'all_responded' },
    },
    { id: 'after', name: 'After it', components: [component('t', 'text', { text: 'Read.' })] },
  ],
}

test('how somebody did in a state that ended with their answer is said on the next page, also after a reload', async () => {
  const study = await openStudy(world, passedAt)
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await page.getByLabel('2', { exact: true }).check()
  await page.getByRole('button', { name: 'Check my answers' }).click()
  const told = async () => {
    await page.getByRole('heading', { name: 'After it' }).waitFor()
    await page.getByText('✓ All answers are correct.').waitFor()
  }
  await told()
  await page.reload()
  await told()
  expect(pageErrors).toEqual([])
  await leave()
})

const farDown: ExperimentDefinition = {
  name: 'Far down',
  states: [
    {
      id: 'long',
      components: [
        component('need', 'dropdown', { label: 'Your country?', options: ['Chile', 'Egypt'] }),
        component('rest', 'text', { text: 'Line.\n\n'.repeat(60) }),
      ],
    },
  ],
}

test.each(['reduce', 'no-preference'] as const)(
  'with prefers-reduced-motion: %s, the page goes to what is missing as people want it',
  async (reducedMotion) => {
    const study = await openStudy(world, farDown)
    const { page, leave } = await createPersonWithBrowser(browser())
    await page.emulateMedia({ reducedMotion })
    await page.addInitScript(() => {
      const go = Element.prototype.scrollIntoView
      Element.prototype.scrollIntoView = function (how) {
        document.title = `scrolls ${typeof how === 'object' ? how.behavior : 'otherwise'}`
        go.call(this, how)
      }
    })
    await page.goto(study.link)
    await page.getByLabel('Your country?').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Please answer this question.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe('select')
    await expect.poll(() => page.title()).toBe(`scrolls ${reducedMotion === 'reduce' ? 'instant' : 'smooth'}`)
    await leave()
  },
)

test('a word without end, as somebody may write it, makes no page wider than the screen', async () => {
  const study = await openStudy(world, {
    name: 'Words',
    variables: { said: { scope: 'participant', initial: '' } },
    states: [
      { id: 'ask', components: [component('said', 'text_input', { label: 'A word', saveTo: 'said' })] },
      {
        id: 'show',
        name: 'You said {{said}}',
        instructions: 'In Markdown: **{{said}}**',
        components: [
          component('plain', 'text', { text: 'Plain: {{said}}', format: 'plain' }),
          component('choice', 'multiple_choice', {
            label: 'Did you say {{said}}?',
            options: [{ value: 'yes', label: 'Yes, {{said}}' }, 'no'],
          }),
          component('scale', 'likert', { label: 'How much {{said}}?', points: 7 }),
          component('note', 'text_input', { label: 'Why {{said}}?', help: '{{said}}' }),
        ],
      },
    ],
  })
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 360, height: 740 })
  await page.goto(study.link)
  await page.getByLabel('A word').fill('W'.repeat(300))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'You said' }).waitFor()
  await expectGoodPage(page, 'a page with a word without end')
  await leave()
})

test('a study has its own logo and accent, and an accent that nobody could read is adapted', async () => {
  const study = await openStudy(world, {
    ...timed,
    name: 'Bright',
    appearance: { logo: '/icon.svg?lab', accent: '#ffd400' },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await page.getByRole('heading', { name: 'Calm' }).waitFor()
  expect(await page.locator('.page-logo').getAttribute('src')).toBe('/icon.svg?lab')
  const painted = () =>
    page
      .getByRole('button', { name: 'Continue' })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  const inLight = await painted()
  expect(inLight).not.toBe('rgb(31, 63, 122)')
  expect(inLight).not.toBe('rgb(255, 212, 0)')
  await expectGoodPage(page, 'a study with an accent of its own')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectGoodPage(page, 'a study with an accent of its own, dark')
  // Dark pages can show it as it is.
  expect(await painted()).toBe('rgb(255, 212, 0)')
  await leave()
})

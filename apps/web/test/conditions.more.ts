import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../src/text/en/participant-pages.ts'
import { beginStudy, outlineOf, writeDefinition } from './builder.ts'
import { expectGoodEverywhere, phone } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { component } from './studies.ts'

// R61: a page whose questions, options and rows depend on what is entered there.

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const components = [
  component('rent', 'slider', {
    label: 'What share of your income is your rent?',
    when: "answers.home == 'rented'",
  }),
  component('works', 'multiple_choice', { label: 'Do you work?', options: ['yes', 'no'] }),
  component('why', 'text_input', {
    label: 'What do you do instead?',
    required: false,
    when: "answers.works == 'no'",
  }),
  component('way', 'multiple_choice', {
    label: 'How do you mostly travel?',
    multiple: true,
    options: ['on foot', 'by bus', { value: 'with colleagues', when: "answers.works == 'yes'" }],
  }),
  component('often', 'matrix', {
    label: 'How often do you …',
    rows: ['read', { value: 'commute', when: "answers.works == 'yes'" }],
    columns: ['never', 'often'],
  }),
  component('home', 'dropdown', { label: 'Your home is', options: ['owned', 'rented'] }),
  component('note', 'text', { text: 'Thank you for telling us.', when: "answers.home == 'owned'" }),
]

async function open(size: { width: number; height: number }) {
  const study = await openStudy(world, {
    name: 'Conditions',
    states: [
      { id: 'ask', name: 'About you', components },
      { id: 'bye', name: 'Thank you', components: [] },
    ],
  })
  const person = await createPersonWithBrowser(browser(), size)
  await person.page.goto(study.link)
  await person.page.getByRole('heading', { name: 'About you' }).waitFor()
  await hearEverything(person.page)
  return { ...person, ...study }
}

/** What a screen reader would say: text that comes to a live region, even if it is the same as before. */
async function hearEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const hear = (node: Node): void => {
      const region = (node instanceof Element ? node : node.parentElement)?.closest(
        '[role="status"], [role="alert"]',
      )
      if (region?.textContent) heard.push(region.textContent)
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === 'characterData' || addedNodes.length > 0) hear(target)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

const heardOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = Reflect.get(window, 'heard') as string[]
    return all.splice(0)
  })
const topOf = async (page: Page, id: string) =>
  (await page.locator(`[data-component="${id}"]`).boundingBox())?.y ?? Number.NaN
const shownOn = (page: Page) =>
  page
    .locator('form.state .component')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-component')))
const focusOn = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('.component')?.getAttribute('data-component'))
const { state } = pages

describe.each([
  ['desk', { width: 1_280, height: 700 }],
  ['phone', phone],
])('on a %s', (_place, size) => {
  test('[R61] what an answer brings is announced, takes no focus, and moves nothing that is above or in use', async () => {
    const { page, pageErrors, leave } = await open(size)
    expect(await shownOn(page)).toEqual(['works', 'way', 'often', 'home'])
    const worksAt = await topOf(page, 'works')

    await page.getByLabel('no', { exact: true }).click()
    await page.getByLabel('What do you do instead?').waitFor()
    expect(await heardOn(page)).toEqual([state.appeared(1)])
    expect(await focusOn(page)).toBe('works')
    expect(await topOf(page, 'works')).toBe(worksAt)

    await page.getByLabel('yes', { exact: true }).click()
    await page.getByLabel('with colleagues').waitFor()
    expect(await heardOn(page)).toEqual([state.choicesAppeared(2)])
    expect(await focusOn(page)).toBe('works')
    expect(await topOf(page, 'works')).toBe(worksAt)

    // The same words once more, which must be read once more.
    for (const answer of ['no', 'yes', 'no']) await page.getByLabel(answer, { exact: true }).click()
    expect(await heardOn(page)).toEqual([state.appeared(1), state.choicesAppeared(2), state.appeared(1)])

    // The list is used with keys, so that the question stays in use while one appears above it.
    await page.getByLabel('Your home is').focus()
    const homeAt = await topOf(page, 'home')
    await page.getByLabel('Your home is').selectOption('rented')
    await page.getByText('What share of your income').waitFor()
    expect(await shownOn(page)).toEqual(['rent', 'works', 'why', 'way', 'often', 'home'])
    // Browsers scroll by whole pixels.
    expect(Math.abs((await topOf(page, 'home')) - homeAt)).toBeLessThan(1)
    expect(await focusOn(page)).toBe('home')
    expect(await heardOn(page)).toEqual([state.appeared(1)])
    await page.getByLabel('Your home is').selectOption('owned')
    await page.getByText('Thank you for telling us.').waitFor()
    expect(await heardOn(page)).toEqual([state.contentAppeared])
    expect(await focusOn(page)).toBe('home')

    await expectGoodEverywhere(page, 'a page with conditions')
    expect(pageErrors).toEqual([])
    await leave()
  })
})

test('[R61] what was entered in a part that is not shown is not sent, is back with it, and outlasts a reload', async () => {
  const { page, pageErrors, exported, leave } = await open(phone)
  const row = (name: string) => page.getByRole('group', { name, exact: true })
  await page.getByLabel('yes', { exact: true }).click()
  await page.getByLabel('with colleagues').click()
  await page.getByLabel('by bus').click()
  await row('commute').getByLabel('often').click()
  await page.getByLabel('no', { exact: true }).click()
  await page.getByLabel('What do you do instead?').fill('I study')
  await row('commute').waitFor({ state: 'detached' })
  await row('read').getByLabel('never').click()
  await page.getByLabel('yes', { exact: true }).click()

  // Both were away in turn, and both are as they were.
  await row('commute').waitFor()
  expect(await row('commute').getByLabel('often').isChecked()).toBe(true)
  expect(await row('read').getByLabel('never').isChecked()).toBe(true)
  expect(await page.getByLabel('with colleagues').isChecked()).toBe(true)
  await page.reload()
  await row('commute').waitFor()
  expect(await row('commute').getByLabel('often').isChecked()).toBe(true)
  await page.getByLabel('no', { exact: true }).click()
  expect(await page.getByLabel('What do you do instead?').inputValue()).toBe('I study')
  await page.getByLabel('Your home is').selectOption('rented')
  await page.getByRole('slider').focus()
  await page.keyboard.press('End')
  await page.getByLabel('Your home is').selectOption('owned')
  await page.reload()
  await page.getByText('Thank you for telling us.').waitFor()

  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Thank you').first().waitFor()
  const answers = (await exported())
    .filter(({ type }) => type === 'component_response')
    .map(({ componentId, data }) => [componentId, (data as { value: unknown }).value])
  expect(Object.fromEntries(answers)).toEqual({
    works: 'no',
    why: 'I study',
    way: ['by bus'],
    often: { read: 'never' },
    home: 'owned',
  })
  expect(pageErrors).toEqual([])
  await leave()
})

test('[R61] a question whose only choice has gone is asked for again', async () => {
  const { page, leave } = await open(phone)
  await page.getByLabel('yes', { exact: true }).click()
  await page.getByLabel('with colleagues').click()
  await page.getByLabel('no', { exact: true }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const way = page.locator('[data-component="way"]')
  await way.getByText(pages.problems.unanswered).waitFor()
  await leave()
})

test('[R61] a researcher sets the condition of a question in the forms, and reads there what is wrong', async () => {
  const researcher = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  const { page } = researcher
  await signIn(page, world.front().http)
  await beginStudy(page, 'Work')
  await writeDefinition(page, {
    name: 'Work',
    states: [
      {
        id: 'ask',
        components: [
          component('works', 'multiple_choice', { label: 'Do you work?', options: ['yes', 'no'] }),
          component('way', 'multiple_choice', { label: 'How?', options: ['bus', { value: 'car' }] }),
        ],
      },
    ],
  })
  await page.getByText('Build', { exact: true }).click()
  await outlineOf(page).getByRole('button', { name: 'ask' }).first().click()
  await page.getByRole('button', { name: /How\?/ }).first().click()
  const whole = page.locator('[data-at="/states/0/components/1/when"]')
  await whole.getByLabel('Shown when').fill("answers.work == 'yes'")
  await whole.getByText(/did you mean/).waitFor()
  await whole.getByLabel('Shown when').fill("answers.works == 'yes'")
  await page.getByText('No problems found').waitFor()
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

test.each([
  ['desk', { width: 1_280, height: 700 }],
  ['phone', phone],
])(
  '[R61] a long page on a %s shows the question that still has to be answered, and why',
  async (place, size) => {
    const study = await openStudy(world, {
      name: 'Long',
      states: [
        {
          id: 'ask',
          name: 'Sixty questions',
          components: Array.from({ length: 60 }, (_, at) =>
            component(`q${at}`, at % 2 ? 'text_input' : 'likert', {
              label: `Question ${at}`,
              required: at === 45,
              ...(at > 20 && { when: 'length(answers.q1) > 0' }),
            }),
          ),
        },
        { id: 'bye', name: 'Thank you', components: [] },
      ],
    })
    const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), size)
    await page.goto(study.link)
    await page.getByRole('textbox', { name: /Question 1\b/ }).fill('yes')
    await page.getByText('Question 59').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: state.continue }).click()
    const problem = page.locator('[data-component="q45"] .problem')
    await problem.waitFor()
    await expect.poll(() => focusOn(page)).toBe('q45')
    await expect
      .poll(async () => {
        const [box, all] = [
          await problem.boundingBox(),
          await page.locator('[data-component="q45"]').boundingBox(),
        ]
        if (!box || !all) return 'nothing is drawn'
        const isInside = box.y >= all.y && box.y + box.height <= all.y + all.height
        return isInside && box.y > 0 && box.y + box.height < size.height
          ? 'on the screen'
          : JSON.stringify({ box, all })
      })
      .toBe('on the screen')
    await expectGoodEverywhere(page, `a long page on a ${place}`)
    expect(pageErrors).toEqual([])
    await leave()
  },
)

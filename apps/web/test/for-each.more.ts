import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../src/text/en/participant-pages.ts'
import { beginStudy, outlineOf, writeDefinition } from './builder.ts'
import { expectGoodEverywhere, phone } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { component } from './studies.ts'

// R62: questions that are asked once for each other member of the room.

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const definition = {
  name: 'Punishment',
  matching: { groupSize: 3 },
  states: [
    {
      id: 'ask',
      name: 'The others',
      components: [
        component('points', 'slider', {
          forEach: 'others',
          label: 'Points for {{each.alias}}',
          max: 10,
        }),
        component('trust', 'multiple_choice', {
          forEach: 'others',
          label: 'Do you trust {{each.alias}}?',
          options: ['yes', 'no'],
        }),
      ],
    },
    { id: 'bye', name: 'Thank you', components: [] },
  ],
}

describe.each([
  ['desk', { width: 1_280, height: 700 }],
  ['phone', phone],
])('on a %s', (_place, size) => {
  test('[R62] each of the others has a group of their own, is answered by keyboard, outlasts a reload, and is asked for until answered', async () => {
    const study = await openStudy(world, definition)
    const everybody = await Promise.all([1, 2, 3].map(() => createPersonWithBrowser(browser(), size)))
    await Promise.all(everybody.map(({ page }) => page.goto(study.link)))
    await Promise.all(
      everybody.map(({ page }) => page.getByRole('heading', { name: 'The others' }).waitFor()),
    )
    const [{ page }] = everybody as [(typeof everybody)[0]]
    const points = page.locator('[data-component="points"]')
    const groups = points.getByRole('group', { name: /^P\d$/ })
    expect(await groups.count()).toBe(2)
    const aliases = await groups.locator('> legend').allTextContents()
    const [first = '', second = ''] = aliases
    expect(await page.getByRole('group', { name: /^P\d$/ }).count()).toBe(4)

    await page.getByRole('button', { name: 'Continue' }).click()
    await points.getByText(pages.problems.unanswered).first().waitFor()
    expect(await page.getByText(pages.problems.unanswered).count()).toBe(4)

    await points.getByRole('slider', { name: `Points for ${first}` }).focus()
    await page.keyboard.press('End')
    await page
      .getByRole('group', { name: `Do you trust ${first}?` })
      .getByLabel('yes')
      .focus()
    await page.keyboard.press('Space')
    await page.reload()
    await points.getByText('10', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await points.getByText(pages.problems.unanswered).waitFor()
    expect(await page.getByText(pages.problems.unanswered).count()).toBe(2)
    await expectGoodEverywhere(page, 'questions about each of the others')

    await points.getByRole('slider', { name: `Points for ${second}` }).focus()
    await page.keyboard.press('Home')
    await page
      .getByRole('group', { name: `Do you trust ${second}?` })
      .getByLabel('no')
      .click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(pages.state.saved).waitFor()
    const answers = (await study.exported())
      .filter(({ type }) => type === 'component_response')
      .map(({ componentId, data }) => [componentId, (data as { value: unknown }).value])
    expect(Object.fromEntries(answers)).toEqual({
      points: { [first]: 10, [second]: 0 },
      trust: { [first]: 'yes', [second]: 'no' },
    })
    expect(everybody.flatMap(({ pageErrors }) => pageErrors)).toEqual([])
    await Promise.all(everybody.map(({ leave }) => leave()))
  })
})

test('[R62] a researcher chooses in the forms about whom is asked, and sees it in the preview', async () => {
  const researcher = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  const { page } = researcher
  await signIn(page, world.front().http)
  await beginStudy(page, 'Trust')
  await writeDefinition(page, {
    name: 'Trust',
    matching: { groupSize: 3 },
    states: [{ id: 'ask', components: [component('trust', 'slider', { label: 'Trust in {{each.alias}}' })] }],
  })
  await page.getByText('Build', { exact: true }).click()
  await page
    .getByText(/‘each’ is one of the others/)
    .first()
    .waitFor()
  await outlineOf(page).getByRole('button', { name: 'ask' }).first().click()
  await page
    .getByRole('button', { name: /Trust in/ })
    .first()
    .click()
  await page.locator('[data-at="/states/0/components/0/forEach"]').selectOption({ index: 1 })
  await page.getByText('No problems found').waitFor()
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  await preview.getByRole('group', { name: 'P2' }).getByText('Trust in P2').waitFor()
  await preview.getByRole('group', { name: 'P3' }).getByText('Trust in P3').waitFor()
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

test('[R62] questions about many others are a long page, of which only what is on the screen is laid out', async () => {
  const researcher = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  const { page } = researcher
  await signIn(page, world.front().http)
  await beginStudy(page, 'Many others')
  const asked = ['honest', 'kind', 'fair'].map((id) =>
    component(id, 'slider', { forEach: 'others', label: `How ${id} is {{each.alias}}?` }),
  )
  await writeDefinition(page, {
    name: 'Many others',
    matching: { groupSize: 8 },
    states: [{ id: 'ask', components: asked }],
  })
  await page.getByText('Build', { exact: true }).click()
  await outlineOf(page).getByRole('button', { name: 'ask' }).first().click()
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  const groups = preview.getByRole('group', { name: /^P\d$/ })
  await groups.first().waitFor()
  expect(await groups.count()).toBe(21)
  expect(await groups.first().evaluate((one) => getComputedStyle(one).contentVisibility)).toBe('auto')
  const last = preview.getByRole('slider', { name: 'How fair is P8?' })
  await last.scrollIntoViewIfNeeded()
  await last.focus()
  expect(await last.evaluate((one) => one.checkVisibility({ contentVisibilityAuto: true }))).toBe(true)
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

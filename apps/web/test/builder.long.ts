import type { ExperimentDefinition } from '@atrium/contract'
import { draftRoutes, experimentRoutes, shareRoutes } from '@atrium/contract'
import { createApi, createResearcher, startWorld, succeeded, type World, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginStudy, codeOf, outlineOf } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const experimentIdIn = (page: Page) => /experiments\/([^/]+)/.exec(page.url())?.[1] ?? ''

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement)) return ''
      const label = 'labels' in element ? (element as HTMLInputElement).labels?.[0]?.textContent : undefined
      return element.getAttribute('aria-label') ?? label ?? element.textContent ?? ''
    })
  for (let pressed = 0; pressed < 150; pressed += 1) {
    await page.keyboard.press('Tab')
    if (name.test(await focused())) return
  }
  throw new Error(`Tab never reached ${name}`)
}

const hasText = (page: Page, text: string) =>
  waitUntil(async () => (await page.getByLabel('Instructions').inputValue()) === text || `not yet ${text}`)

let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const browser = useBrowser()
const address = () => world.front().http

async function asAda(experimentId: string) {
  const api = createApi(() => world.any().http)
  const { token } = await createResearcher(api, ['researcher'], 'console:ada')
  return { api, as: { token, params: { experimentId } } }
}

async function readStudy(experimentId: string) {
  const { api, as } = await asAda(experimentId)
  return {
    definition: succeeded(await api.call(experimentRoutes.read, as)).definition,
    draft: succeeded(await api.call(draftRoutes.read, as)).draft,
  }
}

async function letBenEdit(experimentId: string): Promise<void> {
  const { api, as } = await asAda(experimentId)
  const body = { shares: [{ user: 'console:ben', access: 'edit' as const }] }
  succeeded(await api.call(shareRoutes.replace, { ...as, body }))
}

test('a study is built and published with the keyboard alone', async () => {
  const researcher = await createPersonWithBrowser(browser(), desk)
  const { page } = researcher
  await signIn(page, address())
  await tabTo(page, /^New study/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of the study').waitFor()
  await tabTo(page, /^Create/)
  await page.keyboard.press('Enter')
  await outlineOf(page).waitFor()
  await tabTo(page, /^Add a state/)
  await page.keyboard.press('Enter')
  await outlineOf(page).getByRole('listitem').filter({ hasText: 'New state' }).waitFor()
  await tabTo(page, /^Move “New state” up/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Name/)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Welcome')
  await tabTo(page, /^Add a component/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('slider')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Draft saved').waitFor()
  await page.getByText('No problems found').waitFor()
  // One undo for the component, one for the name.
  await page.keyboard.press('ControlOrMeta+z')
  await tabTo(page, /^Redo/)
  await page.keyboard.press('Enter')
  await page.getByText('No problems found').waitFor()
  await page.locator('body').press('Tab')
  await tabTo(page, /^Publish/)
  await page.keyboard.press('Enter')
  await page.getByText('Published as revision 2').waitFor()
  const { definition, draft } = await readStudy(experimentIdIn(page))
  expect(definition.states).toMatchObject([
    { name: 'Welcome', components: [{ type: 'slider' }] },
    { id: 's1' },
  ])
  expect(draft).toBeNull()
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

test('[X55] two researchers edit one draft: neither overwrites the other unseen', async () => {
  const people = [
    await createPersonWithBrowser(browser(), desk),
    await createPersonWithBrowser(browser(), desk),
  ] as const
  const [first, second] = people.map(({ page }) => page) as [Page, Page]
  await signIn(first, address())
  await beginStudy(first, 'Shared')
  await letBenEdit(experimentIdIn(first))
  await signIn(second, address(), { name: 'Ben' })
  await second.goto(first.url())
  await outlineOf(second).waitFor()
  await second.getByText('Draft saved').waitFor()
  // Both change it at once; the platform takes the first, and the second learns of it.
  await first.getByLabel('Instructions').fill('From the first')
  await first.getByText('Draft saved').waitFor()
  await second.getByLabel('Instructions').fill('From the second')
  await second.getByText(/\bada has changed this draft in the meantime/i).waitFor()
  expect((await readStudy(experimentIdIn(first))).draft?.definition).toMatchObject({
    states: [{ instructions: 'From the first' }],
  })
  await second.getByRole('button', { name: 'Show theirs' }).click()
  await hasText(second, 'From the first')
  await second.getByRole('button', { name: 'Undo' }).click()
  await second.getByText('Draft saved').waitFor()
  await waitUntil(async () => {
    const { draft } = await readStudy(experimentIdIn(first))
    return (
      JSON.stringify(draft?.definition).includes('From the second') || 'the undone choice is not saved yet'
    )
  })
  // The first has changed nothing since, so it simply follows.
  await hasText(first, 'From the second')
  await Promise.all(people.map(({ leave }) => leave()))
})

test('a large study can be edited in every view, and every template is a sound beginning', async () => {
  const researcher = await createPersonWithBrowser(browser(), desk)
  const { page } = researcher
  await signIn(page, address())
  await page.getByRole('link', { name: 'New study' }).first().click()
  const large: ExperimentDefinition = {
    name: 'Large',
    states: Array.from({ length: 200 }, (_, state) => ({
      id: `s${state}`,
      name: `State ${state}`,
      components: Array.from({ length: 5 }, (_, at) => ({
        id: `q${at}`,
        type: 'slider',
        label: `Question ${at}`,
      })),
    })),
  }
  await page.locator('input[type="file"]').setInputFiles({
    name: 'large.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(large)),
  })
  await outlineOf(page)
    .getByRole('button', { name: /State 199/ })
    .click()
  const field = page.getByLabel('Instructions')
  await field.pressSequentially('What do you think of it all?')
  await page.getByText('Flow', { exact: true }).click()
  await page.getByRole('region', { name: 'Flow of the study' }).getByRole('button').nth(199).click()
  expect(await field.inputValue()).toBe('What do you think of it all?')

  await page.goto(`${address()}/console/new`)
  await page.getByLabel('Name of the study').waitFor()
  await expectGoodEverywhere(page, 'a new study')
  const count = await page.getByRole('radio').count()
  expect(count).toBeGreaterThanOrEqual(12)
  for (let index = 0; index < count; index += 1) {
    await page.goto(`${address()}/console/new`)
    await page.getByRole('radio').nth(index).click()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page
      .getByText('No problems found')
      .or(page.getByText(/^\d+ hints?$/))
      .waitFor()
    // Opening changes nothing: there is the draft that was begun with, and nothing is published.
    await page.getByText('Draft saved').waitFor()
    const { definition, draft } = await readStudy(experimentIdIn(page))
    expect(draft).toMatchObject({ definition, basedOn: 1 })
  }
  await page.getByText('Code', { exact: true }).click()
  await codeOf(page).waitFor()
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled()).toBe(true)
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

test('[X56] a study that has never recruited is deleted by its owner, after a question', async () => {
  const [ada, ben] = [
    await createPersonWithBrowser(browser(), desk),
    await createPersonWithBrowser(browser(), desk),
  ]
  await signIn(ada.page, address())
  await beginStudy(ada.page, 'Only a thought')
  const experimentId = experimentIdIn(ada.page)
  await letBenEdit(experimentId)
  await signIn(ben.page, address(), { name: 'Ben' })
  const overview = `${address()}/console/experiments/${experimentId}/overview`
  await ben.page.goto(overview)
  await ben.page.getByRole('button', { name: 'Start recruiting' }).waitFor()
  expect(await ben.page.getByRole('button', { name: 'Delete this study' }).count()).toBe(0)

  await ada.page.getByRole('tab', { name: 'Overview' }).click()
  await ada.page.getByRole('button', { name: 'Delete this study' }).click()
  await expectGoodEverywhere(ada.page, 'the question before a study is deleted')
  const dialog = ada.page.getByRole('dialog', { name: 'Delete “Only a thought”?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await ada.page.getByRole('button', { name: 'Delete this study' }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await ada.page.getByText('“Only a thought” was deleted.').waitFor()
  await ada.page.getByRole('heading', { name: 'Studies' }).waitFor()
  await ada.page.getByRole('link', { name: 'Only a thought' }).waitFor({ state: 'detached' })
  await ben.page.goto(overview)
  await ben.page.getByRole('heading', { name: 'Study not found' }).waitFor()
  expect(ada.pageErrors).toEqual([])
  await Promise.all([ada, ben].map(({ leave }) => leave()))
})

import { experimentRoutes } from '@atrium/contract'
import { createApi, createResearcher, startWorld, succeeded, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginStudy, outlineOf, publish, writeDefinition } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

// R68: a study in stages, made with the forms.

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

test('[R68] a newcomer builds a study of two stages from nothing: people answer alone first, and then two of them meet', async () => {
  const researcher = await createPersonWithBrowser(browser(), desk)
  const { page } = researcher
  await signIn(page, world.front().http)
  await beginStudy(page, 'Deliberation')
  const outline = outlineOf(page)
  await outline.getByRole('button', { name: 'Divide into stages' }).click()
  await page.getByLabel('Id of the stage').fill('alone')
  await page.getByLabel('Id of the stage').press('Enter')
  await outline.getByRole('list', { name: 'States of “alone”' }).waitFor()

  await outline.getByRole('button', { name: 'Add a stage', exact: true }).click()
  await page.getByLabel('Id of the stage').fill('talk')
  await page.getByLabel('Id of the stage').press('Enter')
  await page.getByRole('button', { name: '+ Matching' }).click()
  await page.locator('[data-at="/stages/1/matching/groupSize"] button[data-direction="up"]').click()
  await expectGoodEverywhere(page, 'a stage in the builder')

  const talk = outline.getByRole('list', { name: 'States of “talk”' })
  await talk.getByRole('button', { name: 'New state' }).first().click()
  await page.getByRole('button', { name: 'Add a component' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Chat/ }).first().click()
  const preview = page.frameLocator('iframe[title="Preview of the page"]')
  await preview.getByRole('textbox').first().waitFor()
  await page
    .locator('[data-at="/stages/1/states/0/name"] input, input[data-at="/stages/1/states/0/name"]')
    .first()
    .fill('Talk')
  await page.keyboard.press('Tab')

  // With the keyboard: one more state, which moves over the border to the stage before and back.
  await outline.getByRole('button', { name: 'Add a state to “talk”' }).press('Enter')
  const added = outline.getByRole('button', { name: 'Move “New state” up' })
  await added.press('Enter')
  await outline.getByRole('button', { name: 'Move “New state” up' }).press('Enter')
  const alone = outline.getByRole('list', { name: 'States of “alone”' })
  await alone
    .getByRole('button', { name: /New state/ })
    .first()
    .waitFor()
  expect(await alone.getByRole('listitem').count()).toBe(2)
  expect(await talk.getByRole('listitem').count()).toBe(1)

  await page.getByText('No problems found').waitFor()
  await page.getByText('Flow', { exact: true }).click()
  const flow = page.getByRole('region', { name: 'Flow of the study' })
  await flow.getByText('On to talk').waitFor()
  await flow.getByText('2 together').waitFor()
  await expectGoodEverywhere(page, 'the flow of a study in stages')
  await page.getByText('Build', { exact: true }).click()
  await publish(page)
  await page.getByText('Published as revision 2').waitFor()
  const [, experimentId = ''] = /experiments\/([^/]+)/.exec(page.url()) ?? []
  const api = createApi(() => world.any().http)
  const { token } = await createResearcher(api, ['researcher'], 'console:ada')
  const { definition } = succeeded(await api.call(experimentRoutes.read, { token, params: { experimentId } }))
  expect(definition).toMatchObject({
    stages: [
      { id: 'alone', states: [{}, { name: 'New state' }] },
      { id: 'talk', matching: { groupSize: 2 }, states: [{ id: 'talk', components: [{ type: 'chat' }] }] },
    ],
  })
  expect(definition).not.toHaveProperty('states')
  await page.getByRole('tab', { name: 'Agents' }).click()
  await page.getByText('agents cannot play it alone yet', { exact: false }).waitFor()
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

test('[R68] what is wrong in a stage leads to its form, and the wait of a stage can lead to another', async () => {
  const researcher = await createPersonWithBrowser(browser(), desk)
  const { page } = researcher
  await signIn(page, world.front().http)
  await beginStudy(page, 'Ways on')
  const state = (id: string, components: unknown[] = []) => ({ id, components })
  await writeDefinition(page, {
    name: 'Ways on',
    stages: [
      { id: 'alone', states: [state('first')] },
      {
        id: 'talk',
        matching: { groupSize: 2, deadlineMs: 60_000, onDeadline: { to: 'nowhere' } },
        states: [state('chat', [{ id: 'hint', type: 'text', text: 'Talk in here' }])],
      },
      { id: 'after', states: [state('again')] },
    ],
  })
  await page.getByText('Build', { exact: true }).click()
  await page.getByRole('button', { name: /^Go there: .*nowhere/ }).click()
  const to = page.locator('[data-at="/stages/1/matching/onDeadline/to"] input').first()
  await to.fill('after')
  await to.press('Tab')
  await page.getByText('No problems found').waitFor()
  await expectGoodEverywhere(page, 'the wait of a stage')

  // There are as many people as any stage needs; trying begins in any of them, and leaves those before it out.
  await page.getByRole('button', { name: 'Try it' }).click()
  const tried = page.getByRole('dialog')
  const panes = async (count: number) => {
    await tried.locator(`iframe >> nth=${count - 1}`).waitFor()
    expect(await tried.locator('iframe').count()).toBe(count)
    const last = tried.locator('iframe').last().contentFrame()
    await last.getByRole('button', { name: 'Continue' }).waitFor()
  }
  await panes(2)
  for (const person of [0, 1]) {
    const pane = tried.locator('iframe').nth(person).contentFrame()
    await pane.getByRole('button', { name: 'Continue' }).click()
  }
  await tried.locator('iframe').first().contentFrame().getByText('Talk in here').waitFor()
  await tried.getByLabel('Begin with').selectOption('again')
  await tried.locator('iframe').nth(1).waitFor({ state: 'detached' })
  await panes(1)
  expect(researcher.pageErrors).toEqual([])
  await researcher.leave()
})

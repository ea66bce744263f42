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

/** As after an update: the page was opened before, and what it asks for now is gone. */
const remove = (page: Page, address: RegExp) =>
  page.route(address, (route) => route.fulfill({ status: 404, body: '' }))

const reload = (page: Page) => page.getByRole('button', { name: 'Reload the page' })

const study = (...components: ReturnType<typeof component>[]) => ({
  name: 'After an update',
  states: [{ id: 'only', name: 'Here', components }],
  completion: { codes: { SUCCESS: 'ALL-THERE' } },
})

test('a part that a new version has replaced offers a reload, which keeps what was typed', async () => {
  const { link, exported } = await openStudy(
    world,
    study(
      component('word', 'text_input', { label: 'A word' }),
      component('order', 'dropdown', { label: 'A fruit', options: ['apple', 'pear'] }),
    ),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await remove(page, /assets\/dropdown-/)
  await page.goto(link)
  await page.getByLabel('A word').fill('harbour')
  await page.getByText('This part could not be loaded.').waitFor()
  await expectGoodPage(page, 'a part that is missing')
  await page.unroute(/assets\/dropdown-/)
  await reload(page).click()
  await page.getByLabel('A fruit').selectOption('pear')
  expect(await page.getByLabel('A word').inputValue()).toBe('harbour')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('ALL-THERE').waitFor()
  expect((await exported()).find(({ type }) => type === 'view_failed')).toMatchObject({
    componentId: 'order',
    data: { message: 'not loaded' },
  })
  await leave()
})

test('so do the pages of the room, instead of blaming the connection', async () => {
  const { link } = await openStudy(world, study(component('word', 'text_input', { label: 'A word' })))
  const { page, leave } = await createPersonWithBrowser(browser())
  const roomBundle = /assets\/room/
  await remove(page, roomBundle)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This page has stopped working' }).waitFor()
  await page.unroute(roomBundle)
  const asked = page.waitForRequest((request) => request.isNavigationRequest())
  await reload(page).click()
  await asked
  await page.getByLabel('A word').waitFor()
  await leave()
})

test('a frame that never answers is not waited for: a task can be tried again, a page of the study’s own reloaded', async () => {
  const timeline = [{ type: 'html-keyboard-response', stimulus: 'Now', choices: ['f'] }]
  const { link } = await openStudy(
    world,
    study(
      component('task', 'jspsych', { timeline }),
      component('own', 'custom_html', { html: '<p>Press it.</p>' }),
    ),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  const frames = /\/(?:jspsych|frame)\.html/
  await remove(page, frames)
  await page.goto(link)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('This task could not be loaded.').waitFor()
  await page.locator('[data-component="own"]').getByText('This part could not be loaded.').waitFor()
  await page.unroute(frames)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.frameLocator('.jspsych-frame').getByText('Now').waitFor()
  await reload(page).click()
  await page.frameLocator('[data-component="own"] iframe').getByText('Press it.').waitFor()
  await leave()
})

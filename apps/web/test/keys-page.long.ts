import { experimentRoutes } from '@atrium/contract'
import { createApi, startWorld, succeeded, type World, waitUntil } from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { survey } from './studies.ts'

const browser = useBrowser()
let world: World
let researcher: Person
beforeAll(async () => {
  world = await startWorld('embedded')
  researcher = await createPersonWithBrowser(browser(), desk)
  await researcher.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(researcher.page, world.front().http)
})
afterAll(async () => {
  await researcher?.leave()
  await world?.stop()
})

const isFocused = (element: Locator) => element.evaluate((found) => found === document.activeElement)

/** Goes there as people without a mouse do. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 60; presses++) {
    if (await isFocused(element)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${element}`)
}

const card = (page: Page, name: string) => page.getByRole('article', { name })

test('[R49] a key is made by keyboard alone, shown once, used by a script, and refused once it is revoked', async () => {
  const { page } = researcher
  const { keyboard } = page
  const { experimentId } = await openStudy(world, survey)
  await tabTo(page, page.getByRole('link', { name: 'API keys', exact: true }))
  await keyboard.press('Enter')
  await page.getByText('No API keys yet').waitFor()
  await expectGoodEverywhere(page, 'no keys')

  await tabTo(page, page.getByRole('button', { name: 'Create a key' }))
  await keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await waitUntil(async () => (await isFocused(form.getByLabel('Name'))) || 'the name has no focus')
  await keyboard.press('Enter')
  await form.getByText('Please enter a name.').waitFor()
  await keyboard.type('Nightly analysis')
  await tabTo(page, form.getByLabel('All that I can see'))
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await form.getByText('Please choose at least one study.').waitFor()
  await expectGoodEverywhere(page, 'the form with a problem')
  await tabTo(page, form.getByLabel(survey.name))
  await keyboard.press('Space')
  await keyboard.press('Enter')

  const shown = page.getByRole('dialog', { name: 'Your new API key' })
  const field = shown.getByLabel('API key', { exact: true })
  await field.waitFor()
  const key = await field.inputValue()
  expect(key).toMatch(/^atk_[0-9A-Za-z]{54}$/)
  await expectGoodEverywhere(page, 'the new key')
  await shown.getByRole('button', { name: 'Copy the API key' }).click()
  await shown.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  const example = (await shown.getByRole('region', { name: 'Example' }).textContent()) ?? ''
  expect(example).toContain(`/api/experiments/${experimentId}/export`)
  expect(example).not.toContain(key)
  // A stray key or click does not lose it.
  await keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await field.inputValue()).toBe(key)
  await shown.getByRole('button', { name: 'I have stored it' }).click()
  await shown.waitFor({ state: 'detached' })

  await card(page, 'Nightly analysis').getByText(survey.name).waitFor()
  await expectGoodEverywhere(page, 'a list of keys')
  expect(await page.content()).not.toContain(key)

  // What the script of the researcher does.
  const api = createApi(world.front().http)
  const download = async () =>
    await api.call(experimentRoutes.export, { token: key, params: { experimentId } })
  expect((await download()).status).toBe(200)
  const seen = succeeded(await api.call(experimentRoutes.list, { token: key })).experiments
  expect(seen.map((one) => one.experimentId)).toEqual([experimentId])
  await waitUntil(async () => {
    await page.reload()
    await card(page, 'Nightly analysis').waitFor()
    const isUnused = await card(page, 'Nightly analysis').getByText('Never', { exact: true }).count()
    return isUnused === 0 || 'the page does not show its use yet'
  })

  await tabTo(page, page.getByRole('button', { name: 'Revoke Nightly analysis' }))
  await keyboard.press('Enter')
  const confirmation = page.getByRole('dialog', { name: 'Revoke this API key?' })
  await confirmation.waitFor()
  await expectGoodEverywhere(page, 'a question')
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await confirmation.waitFor({ state: 'detached' })
  expect((await download()).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke Nightly analysis' }).click()
  await confirmation.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API keys yet').waitFor()
  expect((await download()).status).toBe(401)
  expect(researcher.pageErrors).toEqual([])
})

test('[R49] a list that cannot be loaded says so and can be tried again', async () => {
  const { page } = researcher
  await page.route('**/api/keys*', (route) => route.abort())
  await page.reload()
  await page.getByText('This could not be loaded').waitFor()
  await expectGoodPage(page, 'a list that is not loaded')
  await page.unroute('**/api/keys*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No API keys yet').waitFor()
})

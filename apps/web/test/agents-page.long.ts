import { startWorld, type World, waitUntil } from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { negotiation, startSeller } from './agent-studies.ts'
import { desk, expectGoodEverywhere, expectGoodPage, phone } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const browser = useBrowser()
let world: World
let model: Awaited<ReturnType<typeof startSeller>>
let researcher: Person
/** Of the study in the console. */
let address = ''
beforeAll(async () => {
  ;[world, model] = await Promise.all([startWorld('embedded'), startSeller()])
  researcher = await createPersonWithBrowser(browser(), desk)
  await signIn(researcher.page, world.front().http)
})
afterAll(async () => {
  await researcher?.leave()
  await Promise.all([world?.stop(), model?.stop()])
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

const server = (page: Page) => page.getByRole('article', { name: 'Lab model' })

test('[R42] a model server is added and tested by keyboard alone, and its key is never shown again', async () => {
  const { page } = researcher
  const { keyboard } = page
  await tabTo(page, page.getByRole('link', { name: 'Agents', exact: true }))
  await keyboard.press('Enter')
  await page.getByText('No model servers yet').waitFor()
  await expectGoodEverywhere(page, 'no model servers')
  await tabTo(page, page.getByRole('button', { name: 'Add a model server' }))
  await keyboard.press('Enter')

  const dialog = page.getByRole('dialog', { name: 'Add a model server' })
  await waitUntil(async () => (await isFocused(dialog.getByLabel('Name'))) || 'the name has no focus')
  await keyboard.type('Lab model')
  await keyboard.press('Tab')
  await keyboard.type(model.baseUrl.replace('/v1', ''))
  await keyboard.press('Enter')
  // What is wrong is said at its field, which gets the focus.
  await dialog.getByText('Must end in /v1.').waitFor()
  await dialog.getByText('Please enter the API key.').waitFor()
  await waitUntil(async () => (await isFocused(dialog.getByLabel('Base URL'))) || 'the focus is elsewhere')
  await expectGoodEverywhere(page, 'a form with problems')
  await keyboard.press('End')
  await keyboard.type('/v1')
  await keyboard.press('Tab')
  await keyboard.type(model.apiKey)
  await keyboard.press('Tab')
  await keyboard.type('stub-model')
  await keyboard.press('Enter')

  await server(page).getByText('Not tested yet').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Test Lab model' }))
  await keyboard.press('Enter')
  await server(page)
    .getByText(/^Passed/)
    .waitFor()
  const checks = page.getByRole('list', { name: 'Checks of Lab model' }).getByRole('listitem')
  expect(await checks.count()).toBe(4)
  await checks.getByText('10 of 10 answers call respond').waitFor()
  await checks.getByText(/p50 \d.* · p95 \d/).waitFor()
  await page.getByText('Dismiss').waitFor({ state: 'detached' })
  await expectGoodEverywhere(page, 'a tested model server')
  expect(await page.content()).not.toContain(model.apiKey)
  expect(researcher.pageErrors).toEqual([])
})

test('[R42] a test can be stopped, and a key must be entered again for another server', async () => {
  const { page } = researcher
  model.hold()
  await page.getByRole('button', { name: 'Test Lab model' }).click()
  await server(page).getByText('Testing …').waitFor()
  expect(await server(page).getByText('to be checked').count()).toBe(4)
  await expectGoodPage(page, 'a running test')
  await page.getByRole('button', { name: 'Stop the test' }).click()
  await server(page)
    .getByText(/^Passed/)
    .waitFor()
  model.release()

  await page.getByRole('button', { name: 'Change Lab model' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Leave it empty to keep the present key.').waitFor()
  await dialog.getByLabel('Base URL').fill('http://127.0.0.1:9/v1')
  await dialog.getByText('This is another server').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please enter the API key.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('[R43][R45] a person negotiates with an agent, and the researcher sees what it was asked and answered', async () => {
  const { page } = researcher
  const credentialId = /cred_[\w-]+/.exec((await server(page).textContent()) ?? '')?.[0] ?? ''
  const study = await openStudy(world, negotiation(credentialId))
  const person = await createPersonWithBrowser(browser(), phone)
  await person.page.goto(study.link)
  await person.page.getByRole('button', { name: 'I agree' }).click()
  await person.page.getByRole('button', { name: 'I am ready to talk' }).click()
  await person.page.getByLabel('Your message').fill('70')
  await person.page.keyboard.press('Enter')
  const chat = person.page.getByRole('log')
  await chat.getByText('70? Let us say 100.').waitFor()
  expect(await chat.locator('.chat-name').allTextContents()).toEqual(['You', 'Samagent'])
  await person.page.getByText('Taking part with you: Sam').waitFor()

  address = `${world.front().http}/console/experiments/${study.experimentId}`
  await page.goto(`${address}/rooms`)
  await page.getByRole('link', { name: /^room_/ }).click()
  await page.getByRole('button', { name: 'Ask now: Moderator' }).click()
  await chat.getByText('Please agree on a price soon.').waitFor()
  expect(await chat.locator('.chat-name').last().textContent()).toBe('Moderatoragent')
  await expectGoodPage(person.page, 'a chat with an agent and a mediator')

  await page.getByText('agent: Sam').first().waitFor()
  const turn = page.getByRole('article').filter({ hasText: '70? Let us say 100.' })
  await turn.getByText('It is worth 80 to me.').waitFor()
  await turn.getByText('What it was asked').click()
  await turn.getByRole('region', { name: 'What it perceived' }).getByText('"content": "70"').waitFor()
  await turn.getByRole('region', { name: 'Instructions' }).getByText('never go below 90').waitFor()
  await expectGoodEverywhere(page, 'a room with agents')
  expect(await page.content()).not.toContain(model.apiKey)

  await person.page.getByLabel('Your message').fill('Deal')
  await person.page.keyboard.press('Enter')
  await chat.getByText('Deal? Let us say 100.').waitFor()
  await person.page.getByRole('button', { name: 'We have a price' }).click()
  await person.page.getByRole('heading', { name: 'The price' }).waitFor()
  await page.getByText('answered offer = 100').waitFor()
  expect(person.pageErrors).toEqual([])
  await person.leave()
})

test('[R42][R45] what agents cost is shown with the study and with the model server, which cannot be deleted', async () => {
  const { page } = researcher
  await page.goto(`${address}/agents`)
  await page
    .getByRole('row', { name: /^Sam/ })
    .getByText(/^applied: \d/)
    .waitFor()
  await page.getByText(/In the last 24 hours: \d+ calls, 0 of them failed/).waitFor()
  await expectGoodEverywhere(page, 'the agents of a study')
  await page.goto(`${world.front().http}/console/agents`)
  await server(page).getByRole('link', { name: 'Selling a bicycle' }).waitFor()
  await server(page).getByRole('button', { name: 'Show calls, latency and cost' }).click()
  await server(page)
    .getByText(/In the last 24 hours: \d+ calls/)
    .waitFor()
  await expectGoodEverywhere(page, 'the figures of a model server')
  await server(page).getByRole('button', { name: 'Delete Lab model' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByText('A running experiment uses this credential').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
})

test('a pilot plays the study with scripted agents in every seat', async () => {
  const { page } = researcher
  await page.goto(`${address}/agents`)
  await page.getByRole('button', { name: 'Start a pilot' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a pilot' })
  await dialog.getByLabel('Scripted agents only').check()
  await expectGoodEverywhere(page, 'the form of a pilot')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByText('1 of 1 room ended').waitFor()
  await page.getByRole('row', { name: /^participant/ }).waitFor()
  await page.getByRole('button', { name: 'Show the rooms' }).click()
  await expectGoodEverywhere(page, 'a pilot')
  await page.getByRole('link', { name: /^room_/ }).click()
  await page.getByText('pilot', { exact: true }).waitFor()
  expect(researcher.pageErrors.filter((error) => !error.includes('409'))).toEqual([])
})

import type { WrittenDefinition } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectGoodEverywhere, phone } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { component } from './studies.ts'

// R68: people who go from one stage of a study to the next.

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const study: WrittenDefinition = {
  name: 'Deliberation',
  variables: { opinion: { scope: 'participant', initial: null } },
  stages: [
    {
      id: 'alone',
      states: [
        {
          id: 'opinion',
          name: 'Your opinion',
          components: [
            component('side', 'multiple_choice', { label: 'Tax sugar?', options: ['for', 'against'] }),
          ],
          onEnd: { opinion: 'response.side' },
        },
      ],
    },
    {
      id: 'talk',
      matching: { groupSize: 2, deadlineMs: 900_000, onDeadline: 'end_paid' },
      states: [
        {
          id: 'chat',
          name: 'Talk about it',
          components: [component('words', 'chat', { label: 'Talk to the other person' })],
        },
      ],
    },
    {
      id: 'last',
      states: [
        { id: 'again', name: 'And now?', instructions: 'Before, you were {{opinion}}.', components: [] },
      ],
    },
  ],
  completion: { codes: { SUCCESS: 'STAGES-1' } },
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

async function answerAlone({ page }: Person, link: string, side: string): Promise<void> {
  await page.goto(link)
  await heading(page, 'Your opinion')
  await page.getByLabel(side, { exact: true }).click()
}

describe.each([
  ['desk', { width: 1_280, height: 860 }],
  ['phone', phone],
])('on a %s', (_place, size) => {
  test('[R68] two people answer alone, wait, talk, go on alone and get their code; a reload or the back button leads to where they are', async () => {
    const { link } = await openStudy(world, study)
    const ann = await createPersonWithBrowser(browser(), size)
    const bob = await createPersonWithBrowser(browser(), size)
    const { page } = ann
    await answerAlone(ann, link, 'for')
    await page.reload()
    await heading(page, 'Your opinion')
    await page.getByLabel('for', { exact: true }).click()
    await goOn(page)

    await heading(page, 'You have finished this part')
    await page.getByText('The study goes on in a group. We’re waiting for one more person.').waitFor()
    await expectGoodEverywhere(page, 'the wait between two stages')
    await page.setViewportSize(size)
    await page.reload()
    await heading(page, 'You have finished this part')
    await page.getByText('all of you go on with the next part').waitFor()

    await answerAlone(bob, link, 'against')
    await goOn(bob.page)
    await Promise.all([ann, bob].map((person) => heading(person.page, 'Talk about it')))
    await page.getByRole('textbox').fill('Hello from the first')
    await page.keyboard.press('Enter')
    await bob.page.getByText('Hello from the first').waitFor()
    await page.reload()
    await page.getByText('Hello from the first').waitFor()
    await expectGoodEverywhere(page, 'the room of the second stage')
    await page.setViewportSize(size)

    // Bob’s device is offline when their stage ends.
    await goOn(bob.page)
    await bob.context.setOffline(true)
    await goOn(page)
    await page.getByText('Before, you were for.').waitFor()
    await bob.context.setOffline(false)
    await bob.page.getByText('Before, you were against.').waitFor()

    // Back leaves the page; coming again leads to where they are.
    await page.goBack()
    await page.goto(link)
    await page.getByText('Before, you were for.').waitFor()
    for (const person of [ann, bob]) {
      await goOn(person.page)
      await person.page.getByText('STAGES-1').waitFor()
    }
    const isOffline = (error: string) => error.includes('ERR_INTERNET_DISCONNECTED')
    for (const { pageErrors } of [ann, bob])
      expect(pageErrors.filter((error) => !isOffline(error))).toEqual([])
    await bob.page.reload()
    await bob.page.getByText('STAGES-1').waitFor()
    for (const { leave } of [ann, bob]) await leave()
  })
})

import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const shown = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

/** As a hand does it: the second press finds whatever has come to be at that place. */
async function press(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount })
  await page.mouse.up({ clickCount })
}

test('a double click on Continue leaves one page, not two', async () => {
  const study = await openStudy(world, {
    name: 'Two pages',
    states: [
      { id: 'first', name: 'First', components: [] },
      {
        id: 'second',
        name: 'Second',
        components: [component('word', 'text_input', { label: 'A word', required: false })],
      },
    ],
    completion: { codes: { SUCCESS: 'BOTH-SEEN' } },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await shown(page, 'First')
  const more = page.getByRole('button', { name: 'Continue' })
  await more.hover()
  await press(page, 1)
  await shown(page, 'Second')
  await more.hover()
  await press(page, 2)
  await page.getByLabel('A word').fill('harbour')
  // A double click that begins on this page is as good as a single one.
  await more.dblclick()
  await page.getByText('BOTH-SEEN').waitFor()
  // Refused, had the room moved on with the second press.
  expect(await study.exported()).toContainEqual(
    expect.objectContaining({
      componentId: 'word',
      data: expect.objectContaining({ value: 'harbour' }),
    }),
  )
  await leave()
})

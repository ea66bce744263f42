import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

test('[PR8] a participant deletes their data on the last page, by keyboard', async () => {
  const study = await openStudy(world, {
    name: 'A question',
    states: [{ id: 'hello', components: [], end: { on: 'button' } }],
    completion: { codes: { SUCCESS: 'PAID-7' } },
    withdrawal: 'all',
  })
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 390, height: 844 })
  await page.goto(study.link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('PAID-7').waitFor()
  // The last page is the same for whoever comes back to it.
  await page.reload()
  await page.getByText('PAID-7').waitFor()
  await page.getByRole('button', { name: 'Delete my data' }).focus()
  await page.keyboard.press('Enter')
  await expectGoodPage(page, 'last page with withdrawal')
  await page.getByRole('button', { name: 'Yes, delete my data' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Your data is deleted.').waitFor()
  // The code is still there to be noted.
  expect(await page.getByText('PAID-7').isVisible()).toBe(true)
  await leave()
})

test('[PR8,S58] whoever declines is not offered to delete what was never stored, also after a reload', async () => {
  const study = await openStudy(world, {
    name: 'A question',
    consent: { text: 'We ask you a question.' },
    states: [{ id: 'hello', components: [], end: { on: 'button' } }],
    withdrawal: 'all',
  })
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 390, height: 844 })
  await page.goto(study.link)
  await page.getByRole('button', { name: 'I do not agree' }).click()
  await page.getByRole('button', { name: 'I do not want to take part' }).click()
  const isOver = () => page.getByText('You did not agree to take part, so the study ends here.').waitFor()
  await isOver()
  expect(await page.getByRole('button', { name: 'Delete my data' }).count()).toBe(0)
  await page.reload()
  await isOver()
  expect(await page.getByRole('button', { name: 'Delete my data' }).count()).toBe(0)
  await leave()
})

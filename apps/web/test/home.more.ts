import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { pair, survey } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

test('studies are cards with what they are about; full and unlisted ones are not shown, but their links work', async () => {
  const summary = 'How did you sleep, and how do you feel?'
  await openStudy(world, { ...survey, summary, minutes: 5, capacity: 40 })
  await openStudy(world, { ...pair, minutes: 8 })
  const full = await openStudy(world, { ...survey, name: 'Only one place', capacity: 1 })
  const unlisted = await openStudy(world, { ...survey, name: 'By invitation', listed: false })
  const only = await createPersonWithBrowser(browser())
  await only.page.goto(full.link)
  await only.page.getByRole('button', { name: 'I agree' }).waitFor()

  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await page.goto(world.front().http)
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Sleep and mood' }) })
  await card.getByText(summary).waitFor()
  for (const fact of ['About 5 minutes', 'On your own', '40 places left'])
    expect(await card.getByText(fact).isVisible(), fact).toBe(true)
  const together = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Two talk' }) })
  expect(await together.getByText('Together with one other person').isVisible()).toBe(true)
  expect(await page.getByText('Only one place').count()).toBe(0)
  expect(await page.getByText('By invitation').count()).toBe(0)
  await expectGoodEverywhere(page, 'the list of studies')
  await page.getByRole('link', { name: 'Sleep and mood' }).click()
  await page.getByRole('button', { name: 'I agree' }).waitFor()
  await page.goto(unlisted.link)
  await page.getByRole('button', { name: 'I agree' }).waitFor()
  expect(pageErrors).toEqual([])
  await only.leave()
  await leave()
})

test('the list says that it loads, that it failed, and that there is nothing', async () => {
  const { page, leave } = await createPersonWithBrowser(browser())
  let answer: 'nothing yet' | 'failure' | 'no studies' = 'nothing yet'
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/participant/discover', async (route) => {
    if (answer === 'nothing yet') await held
    if (answer === 'no studies')
      return await route.fulfill({ json: { status: 'success', data: { experiments: [] } } })
    await route.abort()
  })
  await page.goto(world.front().http)
  await page.getByText('Loading studies …').waitFor({ state: 'attached' })
  expect(await page.locator('.study-card.is-loading').count()).toBe(3)
  answer = 'failure'
  release()
  await page.getByRole('alert').waitFor()
  await expectGoodEverywhere(page, 'a list that failed')
  answer = 'no studies'
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Nothing to take part in right now' }).waitFor()
  await expectGoodEverywhere(page, 'an empty list')
  await leave()
})

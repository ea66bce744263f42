import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

test('what somebody typed and did not send is not shown to the next person in the same tab, and is gone when they leave', async () => {
  const { link } = await openStudy(world, pair)
  const { page, leave } = await createPersonWithBrowser(browser())
  const other = await createPersonWithBrowser(browser())
  await page.goto(`${link}?participant=ada`)
  await page.getByRole('heading', { name: 'Waiting for other participants' }).waitFor()
  await other.page.goto(`${link}?participant=ben`)
  const number = page.getByLabel('Your number')
  const message = page.getByLabel('Message')
  await number.fill('7')
  await message.fill('my own plan')
  await other.page.getByLabel('Your number').waitFor()

  // Ben moves to Ada’s place: the same tab, and the same room.
  await page.goto(`${link}?participant=ben`)
  await number.waitFor()
  expect([await number.inputValue(), await message.inputValue()]).toEqual(['', ''])

  await page.goto(`${link}?participant=ada`)
  await expect.poll(() => message.inputValue()).toBe('my own plan')
  expect(await number.inputValue()).toBe('7')
  const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
  expect(await kept()).toContain('my own plan')
  await page.getByRole('button', { name: 'Leave the study' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'End of the study' }).waitFor()
  expect(await kept()).not.toContain('my own plan')
  await leave()
  await other.leave()
})

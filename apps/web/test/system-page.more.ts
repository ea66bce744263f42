import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded', { env: { METRICS_HEARTBEAT_INTERVAL: '200' } })
})
afterAll(() => world?.stop())

const narrowest = { width: 360, height: 740 }

async function openSystem(page: Page, isAdmin: boolean): Promise<void> {
  await signIn(page, world.front().http, { name: isAdmin ? 'Grace' : 'Ada', isAdmin })
  await page.getByRole('link', { name: 'System' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'System', exact: true }).waitFor()
}

test('a researcher sees that all is well, and that administrators see more', async () => {
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await openSystem(page, false)
  await page.getByText('Administrators also see each instance').waitFor()
  expect(await page.getByRole('heading', { name: 'People and their roles' }).count()).toBe(0)
  await leave()
})

test('an administrator sees the instances, their metrics as lines, people with their roles, and the way to the audit log', async () => {
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await openSystem(page, true)
  const instance = page.getByRole('row').filter({ hasText: 'Healthy' })
  await instance.waitFor()
  expect(await instance.getByText(/^\d+(\.\d)? MB$/).count()).toBe(1)
  expect(await instance.getByText(/ s ago$/).count()).toBe(1)
  const requests = page.getByRole('img', {
    name: /^Requests per minute\. .*: now [\d,.]+, at most [1-9][\d,.]*\.$/,
  })
  await requests.waitFor()
  expect(await requests.locator('path').last().getAttribute('d')).toMatch(/^M.*L/)
  const people = page.getByRole('row')
  const grace = people.filter({ hasText: 'Grace' })
  expect(await grace.getByText('Administrator').count()).toBe(1)
  expect(await grace.getByText('identity provider').count()).toBe(1)
  expect(await people.filter({ hasText: 'Ada' }).getByText('Researcher').count()).toBe(1)
  await expectGoodEverywhere(page, 'the system')
  await page.setViewportSize(narrowest)
  await expectGoodPage(page, 'the system on a narrow phone')
  await page.getByRole('link', { name: 'audit log', exact: true }).click()
  await page.getByRole('heading', { name: 'Audit log' }).waitFor()
  expect(pageErrors).toEqual([])
  await leave()
})

import { allRoutes } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

/** The reference page, with everything that the browser complains of and every request to another host. */
async function openReference() {
  const address = world.front().http
  const { page, context, pageErrors, leave } = await createPersonWithBrowser(browser(), {
    width: 1_280,
    height: 860,
  })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (/^(?:https?|wss?):/.test(request.url()) && !request.url().startsWith(address))
      foreign.push(request.url())
  })
  await context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`${violatedDirective} refused ${blockedURI}`),
    ),
  )
  await page.goto(`${address}/api/docs`)
  await operation(page, 'postV4ParticipantJoin').waitFor()
  return { page, pageErrors, foreign, leave }
}

const operation = (page: Page, operationId: string) => page.locator(`.opblock[id$="-${operationId}"]`)

test('the reference shows every operation, and one with its schema, without a complaint or a foreign request, and fits a phone', async () => {
  const { page, pageErrors, foreign, leave } = await openReference()
  await expect.poll(() => page.locator('.opblock').count()).toBe(allRoutes.length)
  const join = operation(page, 'postV4ParticipantJoin')
  await join.getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await join.getByText('experimentId').first().waitFor()
  await page.getByText('The life of a participant').click()
  await page.getByText(`BASE=${world.front().http}`).waitFor()
  // With the operation still open, on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await join.getByText('experimentId').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect({ pageErrors, foreign }).toEqual({ pageErrors: [], foreign: [] })
  await leave()
})

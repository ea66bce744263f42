import { experimentRoutes } from '@atrium/contract'
import { createApi, startWorld, succeeded, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { survey } from './studies.ts'

const browser = useBrowser()
let world: World
let admin: Person
beforeAll(async () => {
  world = await startWorld('embedded')
  admin = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
})
afterAll(async () => {
  await admin?.leave()
  await world?.stop()
})

test('[PR7] an administrator reads the audit log, page by page and on a phone', async () => {
  const { page } = admin
  const api = createApi(world.front().http)
  const { experimentId } = await openStudy(world, survey)
  const token = await api.token('auditor', ['admin'])
  for (let exported = 0; exported < 60; exported++)
    succeeded(await api.call(experimentRoutes.export, { token, params: { experimentId } }))
  await signIn(page, world.front().http, { isAdmin: true })
  await page.getByRole('link', { name: 'Audit log' }).focus()
  await page.keyboard.press('Enter')
  const rows = page.getByRole('table').getByRole('row')
  await page.getByRole('cell', { name: 'export_completed' }).first().waitFor()
  expect(await rows.count()).toBe(101)
  await page.getByRole('button', { name: 'Load more' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'experiment_created' }).first().waitFor()
  await expectGoodPage(page, 'audit log')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectGoodPage(page, 'audit log, dark and on a phone')
})

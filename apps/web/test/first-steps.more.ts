import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const stepsOn = (page: Page) => page.getByRole('region', { name: 'Your first study in three steps' })

/** As somebody without a mouse does it. */
async function enter(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).focus()
  await page.keyboard.press('Enter')
}

test('a newcomer is led from a template to a launched study, and then left alone', async () => {
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(page, world.front().http, { name: 'Newcomer' })
  await stepsOn(page).waitFor()
  await expectGoodEverywhere(page, 'the first steps')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectGoodPage(page, 'the first steps on a narrow phone')
  await page.setViewportSize({ width: 1_280, height: 860 })

  await enter(page, 'Choose a template')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  await enter(page, '← Studies')
  await stepsOn(page).getByText('Done: Build it from a template').waitFor()

  await enter(page, 'Open it in the builder')
  await page.getByRole('button', { name: 'Try it' }).waitFor()
  await enter(page, '← Studies')
  await stepsOn(page).getByText('Done: Play it yourself').waitFor()

  await enter(page, 'Go to the overview')
  await page.getByText('Not everything is published yet.').waitFor()
  await page.getByRole('button', { name: 'Start recruiting' }).click()
  await expectGoodEverywhere(page, 'starting with a draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish and start' }).click()
  await page.getByText('Recruiting', { exact: true }).first().waitFor()
  await enter(page, '← Studies')
  await stepsOn(page).waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .filter({ hasText: /stud(y|ies)/ })
    .waitFor()
  expect(pageErrors).toEqual([])
  await leave()
})

test('whoever hides the steps does not see them again, and keeps their place on the page', async () => {
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(page, world.front().http, { name: 'Old hand' })
  await stepsOn(page).getByRole('button', { name: 'Hide these steps' }).focus()
  await page.keyboard.press('Enter')
  await stepsOn(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('page')
  await page.reload()
  await page
    .getByRole('status')
    .filter({ hasText: /stud(y|ies)/ })
    .waitFor()
  expect(await stepsOn(page).count()).toBe(0)
  await leave()
})

import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { views } from '../src/text/en/participant-views.ts'
import { example } from './example.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { tabTo } from './tab-to.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const button = (name: string) => `button:text-is("${name}")`

test('a whole study without a mouse', async () => {
  const study = await openStudy(world, example('quick-survey'))
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 360, height: 740 })
  await page.goto(study.link)
  await page.locator(`${button(views.consent.agree)}:enabled`).waitFor()
  await tabTo(page, '.consent button')
  await page.keyboard.press('Enter')
  await page.locator(button(views.instructions.toQuestions)).waitFor()
  await tabTo(page, '[data-component="understood"] button')
  await page.keyboard.press('Enter')
  await tabTo(page, '[data-component="understood"] input')
  await page.keyboard.press('ArrowDown') // Radio buttons are one stop; arrows choose among them.
  expect(await page.getByLabel('very good').isChecked()).toBe(true)
  await tabTo(page, '[data-component="understood"] fieldset ~ button')
  await page.keyboard.press('Enter')
  await page.getByText(views.check.passed).waitFor()
  await tabTo(page, 'form.state button[type="submit"]')
  await page.keyboard.press('Enter')
  await tabTo(page, '[data-component="mood"] input')
  await page.keyboard.press('End')
  await tabTo(page, '[data-component="sleep"] input')
  await page.keyboard.press('Space')
  await tabTo(page, 'form.state button[type="submit"]')
  await page.keyboard.press('Enter')
  await page.locator('[data-component="bye"]').waitFor()
  await tabTo(page, 'form.state button[type="submit"]')
  await page.keyboard.press('Enter')
  await page.getByText('SURVEY-DONE').waitFor()
  const answers = (await study.exported()).filter(({ type }) => type === 'component_response')
  expect(Object.fromEntries(answers.map(({ componentId, data }) => [componentId, data.value]))).toMatchObject(
    {
      mood: 100,
      sleep: 'badly',
      understood: { answers: { scale: 'very good' } },
    },
  )
  expect(pageErrors).toEqual([])
  await leave()
})

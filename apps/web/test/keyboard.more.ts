import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { views } from '../src/text/en/participant-views.ts'
import { example } from './example.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const maxStops = 30

/** Goes from control to control, as somebody without a mouse does, until it is the one; each must show that it has the focus. */
async function tabTo(page: Page, css: string): Promise<void> {
  await page.locator(css).filter({ visible: true }).first().waitFor()
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate((wanted) => {
      const element = document.activeElement
      if (!element || element === document.body) return { isThere: false, isShown: true, name: 'the page' }
      // The ring may be around the label that holds the control.
      const shown = [element, element.parentElement, element.nextElementSibling].some((one) => {
        if (!one) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      return { isThere: element.matches(wanted), isShown: shown, name: element.outerHTML.slice(0, 120) }
    }, css)
    expect(at.isShown, `the focus on ${at.name} is invisible`).toBe(true)
    if (at.isThere) return
  }
  throw new Error(`no ${css} within ${maxStops} stops`)
}

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

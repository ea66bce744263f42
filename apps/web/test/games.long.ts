import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { example } from './example.ts'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

/** One after the other, on phones and desktops. */
async function arrive(study: { link: string }, roles: (string | undefined)[]): Promise<Person[]> {
  const people: Person[] = []
  for (const [index, role] of roles.entries()) {
    const person = await createPersonWithBrowser(browser(), { width: index % 2 === 0 ? 390 : 1_280 })
    await person.page.goto(role === undefined ? study.link : `${study.link}?role=${role}`)
    people.push(person)
  }
  return people
}

/** Uses the keyboard, which is exact; the number beside the line must follow. */
async function slideTo(page: Page, value: number): Promise<void> {
  const slider = page.getByRole('slider')
  await slider.focus()
  await page.keyboard.press('Home')
  // A page is a tenth of the scale.
  const pageSize = Number(await slider.getAttribute('max')) / 10
  for (let at = 0; at < Math.floor(value / pageSize); at++) await page.keyboard.press('PageUp')
  for (let at = 0; at < value % pageSize; at++) await page.keyboard.press('ArrowRight')
  expect(await page.locator('.scale-value').textContent()).toBe(String(value))
}

const shown = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(
    await page
      .locator('.payoff')
      .evaluateAll((boxes) =>
        boxes.map((box) => [
          box.querySelector('.payoff-label')?.textContent?.trim() ?? '',
          box.querySelector('.payoff-amount')?.textContent ?? '',
        ]),
      ),
  )

async function goodbye(people: Person[]): Promise<void> {
  for (const { pageErrors, leave } of people) {
    expect(pageErrors).toEqual([])
    await leave()
  }
}

test('negotiation: the number follows the slider, and one price for both leads to the gains', async () => {
  const study = await openStudy(world, example('negotiation'))
  const people = await arrive(study, ['buyer', 'seller'])
  for (const [index, { page }] of people.entries()) {
    await page.getByText(index === 0 ? 'worth 120 to you' : 'worth 80 to you').waitFor()
    await page.getByRole('button', { name: 'I am ready to talk' }).click()
  }
  for (const { page } of people) await page.getByRole('button', { name: 'We have a price' }).click()
  for (const { page } of people) {
    await page.getByRole('heading', { name: 'The price' }).waitFor()
    expect(await page.locator('.scale-marks > *').allTextContents()).toEqual(['0', '200'])
    await slideTo(page, 95)
    await expectGoodPage(page, 'the price')
    await page.getByRole('button', { name: 'Submit' }).click()
  }
  for (const { page } of people) await page.getByRole('heading', { name: 'Result' }).waitFor()
  const results = await Promise.all(people.map(({ page }) => shown(page)))
  expect(results).toEqual([
    { 'Agreed price': '95', 'Your gain': '25' },
    { 'Agreed price': '95', 'Your gain': '15' },
  ])
  await goodbye(people)
})

test('public goods: everyone sees the pot and what the others gave', async () => {
  const study = await openStudy(world, example('public-goods'))
  const people = await arrive(study, [undefined, undefined, undefined, undefined])
  for (const { page } of people) {
    await page.getByRole('button', { name: 'Go to the questions' }).click()
    await page.getByLabel('all four').check()
    await page.getByRole('button', { name: /check/i }).click()
  }
  // The state ended with the last answer: whoever gave it learns on the next page that it was right.
  const last = people.at(-1)?.page
  await last?.getByText('✓ All answers are correct.').waitFor()
  await last?.reload()
  await last?.getByText('✓ All answers are correct.').waitFor()
  for (const [index, { page }] of people.entries()) {
    await page.getByRole('heading', { name: 'Contribute' }).waitFor()
    expect(await page.locator('.scale-marks > *').allTextContents()).toEqual(['0', '20'])
    await slideTo(page, index * 3)
    await page.getByRole('button', { name: 'Submit' }).click()
  }
  for (const [index, { page }] of people.entries()) {
    await page.getByRole('heading', { name: 'This round' }).waitFor()
    const others = [0, 3, 6, 9].filter((given) => given !== index * 3)
    expect(await shown(page)).toMatchObject({
      'You gave': `${index * 3} points`,
      'The others gave': `${others.join(', ')} points`,
      'In the pot': '18 points',
    })
    await expectGoodPage(page, 'the results of a round')
  }
  await goodbye(people)
})

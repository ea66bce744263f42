import type { ExperimentDefinition } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { example } from './example.ts'
import { desk, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { tabTo } from './tab-to.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const smallPhone = { width: 320, height: 640 }

/** Before anything is answered, with every problem named, and answered; in both widths and colours. */
async function look(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const size of [desk, smallPhone]) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await expectGoodPage(page, `${where}, ${colorScheme}, ${size.width} px`)
    }
}

const part = (id: string) => `[data-component="${id}"]`

/** The first of each group of radio buttons, or the one below it where a second arrow is pressed. */
async function chooseByKeys(page: Page, id: string, arrow?: string): Promise<void> {
  const groups = await page
    .locator(`${part(id)} input[type="radio"]`)
    .evaluateAll((all) => [...new Set(all.map((one) => (one as HTMLInputElement).name))])
  for (const name of groups) {
    await tabTo(page, `${part(id)} input[name="${name}"]`)
    await page.keyboard.press('Space')
    if (arrow !== undefined) await page.keyboard.press(arrow)
  }
}

async function typeInto(page: Page, css: string, text: string): Promise<void> {
  await tabTo(page, css)
  await page.keyboard.type(text)
}

async function goOn(page: Page): Promise<void> {
  await tabTo(page, 'form.state button[type="submit"]')
  await page.keyboard.press('Enter')
}

test('every kind of question is answered by keyboard alone on a small phone, and each page is good before and after', async () => {
  const study = await openStudy(world, example('survey-kinds'))
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), smallPhone)
  await page.goto(study.link)
  await page.getByRole('link', { name: 'Download this text (PDF)' }).waitFor()
  await look(page, 'consent')
  await tabTo(page, '.consent button')
  await page.keyboard.press('Enter')

  await page.locator(part('moved')).waitFor()
  await look(page, 'about you')
  await typeInto(page, `${part('moved')} input`, '05172019')
  await typeInto(page, `${part('region')} select`, 'In a s')
  await tabTo(page, `${part('travels')} label:nth-child(3) input`)
  await page.keyboard.press('Space')
  await typeInto(page, `${part('minutes')} input`, '15')
  await page.keyboard.press('ArrowUp')
  await look(page, 'about you, answered')
  await goOn(page)

  await page.locator(part('budget')).waitFor()
  await goOn(page)
  await page.locator('.problem').first().waitFor()
  await look(page, 'a flat, nothing answered')
  await page.locator('h1').first().click()
  await typeInto(page, `${part('budget')} li:nth-child(1) input`, '60')
  await typeInto(page, `${part('budget')} li:nth-child(2) input`, '40')
  await tabTo(page, `${part('features')} input[name$="-best"]`)
  await page.keyboard.press('Space')
  await tabTo(page, `${part('features')} input[name$="-worst"]`)
  await page.keyboard.press('ArrowDown')
  await tabTo(page, `${part('streets')} .button`)
  await page.keyboard.press('Enter')
  await look(page, 'a flat, answered')
  await goOn(page)

  await page.locator(part('impression')).waitFor()
  await goOn(page)
  await page.locator('.problem').first().waitFor()
  await look(page, 'neighbourhood, nothing answered')
  await page.locator('h1').first().click()
  await chooseByKeys(page, 'impression', 'ArrowRight')
  await chooseByKeys(page, 'agree', 'ArrowRight')
  await chooseByKeys(page, 'attention', 'ArrowDown')
  await chooseByKeys(page, 'stay')
  await tabTo(page, `${part('warmth')} input`)
  await page.keyboard.press('End')
  await look(page, 'neighbourhood, answered')
  await goOn(page)

  await page.locator(part('noticed')).waitFor()
  await goOn(page)
  await page.locator('.problem').first().waitFor()
  await look(page, 'a street, nothing answered')
  await page.locator('h1').first().click()
  await tabTo(page, `${part('noticed')} [role="application"]`)
  await page.keyboard.press('Enter')
  for (const _step of [1, 2, 3, 4]) await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('status').filter({ hasText: '90 % from the left, 50 % from the top, Tree' }).waitFor()
  await page.keyboard.press('Enter')
  await tabTo(page, `${part('noticed')} summary`)
  await page.keyboard.press('Enter')
  await typeInto(page, `${part('words')} input`, 'calm')
  await look(page, 'a street, answered')
  await goOn(page)

  await page.locator(part('photo')).waitFor()
  await look(page, 'bus')
  await goOn(page)
  await page.locator(part('bye')).waitFor()
  await goOn(page)
  await page.getByText('KINDS-DONE').waitFor()
  const answers = (await study.exported()).filter(({ type }) => type === 'component_response')
  expect(Object.fromEntries(answers.map(({ componentId, data }) => [componentId, data.value]))).toMatchObject(
    {
      moved: '2019-05-17',
      region: 'town',
      travels: ['by bus or train'],
      minutes: 20,
      budget: { rent: 60, size: 40, place: 0 },
      features: { best: expect.any(String), worst: expect.any(String) },
      streets: ['by a park', 'by the water', 'near the station'],
      impression: { noise: 2, people: 2, change: 2 },
      agree: { talk: 'sometimes', help: 'sometimes' },
      attention: { answer: 'rarely', passed: true },
      stay: 1,
      warmth: 100,
      noticed: {
        marks: [
          { x: 50, y: 50 },
          { x: 90, y: 50 },
        ],
        regions: ['bus', 'tree'],
      },
      words: { first: 'calm' },
    },
  )
  expect(pageErrors).toEqual([])
  await leave()
})

/** The page with the picture alone. */
function street(settings: object = {}): ExperimentDefinition {
  const { states, ...kinds } = example('survey-kinds')
  const [noticed] = states.find(({ id }) => id === 'street')?.components ?? []
  if (!noticed) throw new Error('the example has no picture')
  const components = [{ ...noticed, ...settings }]
  return { ...kinds, states: [{ id: 'street', components }], globalComponents: [] }
}

test('with a finger, places are marked, marked again to remove them, and recorded in percent of the picture', async () => {
  const study = await openStudy(world, street())
  const context = await browser().newContext({ viewport: smallPhone, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(study.link)
  const picture = page.getByRole('application')
  const tap = async (x: number, y: number) => {
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
    await picture.tap({ position: { x: (width * x) / 100, y: (height * y) / 100 } })
  }
  await tap(20, 50)
  await page.getByRole('button', { name: /Remove mark 1: .*, Shop/ }).waitFor()
  await tap(20, 50)
  await page.getByText('Mark 1 removed').waitFor()
  await tap(90, 40)
  await tap(60, 90)
  await tap(10, 10)
  await page.getByText('All 2 marks are set. Remove one to mark another place.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).tap()
  await page.getByText('KINDS-DONE').waitFor()
  const answers = (await study.exported()).filter(({ componentId }) => componentId === 'noticed')
  expect(answers.map(({ data }) => data.value)).toContainEqual({
    marks: [
      { x: expect.closeTo(90, 0), y: expect.closeTo(40, 0) },
      { x: expect.closeTo(60, 0), y: expect.closeTo(90, 0) },
    ],
    regions: ['tree', null],
  })
  await context.close()
})

test('a picture that cannot be loaded is described, and can be tried again', async () => {
  const study = await openStudy(world, street({ src: '/street.svg', required: false }))
  const { page, leave } = await createPersonWithBrowser(browser(), smallPhone)
  let isThere = false
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"/>'
  await page.route('**/street.svg', (route) =>
    isThere ? route.fulfill({ contentType: 'image/svg+xml', body }) : route.abort(),
  )
  await page.goto(study.link)
  await page.getByText('It shows: A drawing of a street').waitFor()
  await expectGoodPage(page, 'without its picture')
  isThere = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('application').click()
  await page.getByText('Mark 1 set').waitFor()
  await page.getByRole('button', { name: 'Clear my answer' }).click()
  await page.getByText('No place is marked yet.').waitFor()
  await leave()
})

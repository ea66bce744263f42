import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const three = { ...pair, matching: { groupSize: 3, deadlineMs: 900_000, onDeadline: 'end_paid' as const } }

test('seats fill, the page says what is known, and whoever asked for it is called when the group forms', async () => {
  const study = await openStudy(world, three)
  const people = []
  for (const width of [1_280, 390, 390]) people.push(await createPersonWithBrowser(browser(), { width }))
  const [ann, ben, cleo] = people
  if (!ann || !ben || !cleo) throw new Error('three people')
  await ann.context.grantPermissions(['notifications'])
  await ann.page.goto(study.link)
  await ann.page.getByRole('img', { name: '1 of 3 places are taken.' }).waitFor()
  await ann.page.getByText('We’re waiting for 2 more people.').waitFor()
  expect(await ann.page.getByText('If no group has formed 15 minutes from now').isVisible()).toBe(true)
  await expectGoodEverywhere(ann.page, 'the waiting room')
  await ann.page.getByRole('button', { name: 'Call me when it starts' }).click()
  await ann.page.getByText('We’ll call you with a sound.').waitFor()
  await ben.page.goto(study.link)
  await ann.page.getByRole('img', { name: '2 of 3 places are taken.' }).waitFor()
  expect(await ann.page.locator('.seat.is-taken').count()).toBe(2)

  // Ann looks at something else meanwhile.
  await ann.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    const played: number[] = []
    Object.assign(window, { played })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...when) {
      played.push(this.frequency.value)
      return start.apply(this, when)
    }
  })
  await cleo.page.goto(study.link)
  await ann.page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
  expect(await ann.page.title()).toBe('● Your group has started · Two talk')
  expect(await ann.page.evaluate(() => (window as unknown as { played: number[] }).played.length)).toBe(2)
  await ann.page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  expect(await ann.page.title()).toBe('Two talk')
  for (const { pageErrors, leave } of people) {
    expect(pageErrors).toEqual([])
    await leave()
  }
})

test('[RM265] the lobby of a large group says how many are here, with how many it starts, and when', async () => {
  const matching = { groupSize: { min: 4, max: 50 }, deadlineMs: 900_000, onDeadline: 'end_paid' as const }
  const study = await openStudy(world, { ...pair, matching })
  for (const width of [1_280, 390]) {
    const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width })
    await page.goto(study.link)
    await page.getByText(/^\d of 50 people are here\.$/).waitFor()
    await page.getByRole('img', { name: /^\d of 50 places are taken\.$/ }).waitFor()
    await page.getByText('At the end of the wait, 4 are enough to start.').waitFor()
    await page.getByText(/^If fewer than 4 are here in 1[45]:\d\d, the wait ends/).waitFor()
    await expectGoodEverywhere(page, 'the lobby of a large group')
    expect(pageErrors).toEqual([])
    await leave()
  }
})

test('stopping asks first; after a reload the page says the same, and only a press leads back into the queue', async () => {
  const study = await openStudy(world, three)
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await page.getByText('We’re waiting for 2 more people.').waitFor()
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep waiting' }).click()
  expect(await page.getByText('We’re waiting for 2 more people.').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop waiting' }).click()
  await page.getByText('You stopped waiting.').waitFor()
  await page.reload()
  await page.getByText('You stopped waiting.').waitFor()
  expect(await page.locator('.code').count()).toBe(0)
  await page.getByRole('button', { name: 'Wait again' }).click()
  await page.getByText('We’re waiting for 2 more people.').waitFor()
  await leave()
})

test('a wait that ends without a group ends in words, without an outcome that looks like a code', async () => {
  const study = await openStudy(world, {
    ...pair,
    matching: { groupSize: 2, deadlineMs: 1_000, onDeadline: 'end_paid' },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  const words = page.getByText('We could not find enough people for your group in time.')
  await words.waitFor()
  expect(await page.locator('.code').count()).toBe(0)
  await page.reload()
  await words.waitFor()
  expect(await page.locator('.code').count()).toBe(0)
  expect(await page.getByText('NOT_MATCHED').count()).toBe(0)
  await leave()
})

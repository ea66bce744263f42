import { startWorld, type World, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
/** How long the page waits for a key. A key that comes later only makes the first test fail if the machine stands still. */
const trialMs = 2_000
const block = {
  label: 'Left or right?',
  keys: [
    { key: 'ArrowLeft', label: 'Left' },
    { key: 'ArrowRight', label: 'Right' },
  ],
  trials: [
    { image: dot, text: '<', correctKey: 'ArrowLeft' },
    { text: '>', correctKey: 'ArrowRight' },
    { text: '!' },
  ],
  timeoutMs: trialMs,
  fixationMs: 50,
  intervalMs: 50,
}
const study = () => ({
  name: 'Left or right',
  states: [
    { id: 'block', name: 'React', components: [component('arrows', 'reaction_time', block)] },
    { id: 'bye', name: 'Thanks', components: [] },
  ],
})

const answersOf = (exported: readonly { type: string; componentId?: string | null; data: object }[]) =>
  exported
    .filter(({ type, componentId }) => type === 'component_response' && componentId === 'arrows')
    .map(({ data }) => ('value' in data ? data.value : undefined))

test('on a phone, the keys are large buttons, and a touch counts when the finger comes down', async () => {
  const { link, exported } = await openStudy(world, study())
  const context = await browser().newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.goto(link)
  const start = page.getByRole('button', { name: 'Start' })
  await start.waitFor()
  await expectGoodPage(page, 'before the block')
  const left = page.getByRole('button', { name: 'Left' })
  const { height = 0 } = (await left.boundingBox()) ?? {}
  expect(height).toBeGreaterThanOrEqual(90)
  await start.tap()
  await page.locator('.reaction-stimulus', { hasText: '<' }).waitFor()
  await left.dispatchEvent('pointerdown', { pointerType: 'touch' })
  // The others time out; the page then goes on by itself.
  await page.getByRole('heading', { name: 'Thanks' }).waitFor()
  expect(answersOf(await exported())).toEqual([
    {
      trials: [
        expect.objectContaining({ key: 'ArrowLeft', input: 'touch', correct: true, timedOut: false }),
        expect.objectContaining({ key: null, rtMs: null, input: null, correct: false, timedOut: true }),
        expect.objectContaining({ key: null, rtMs: null, input: null, correct: null, timedOut: true }),
      ],
      precision: { frameMs: expect.any(Number), clockStepMs: expect.any(Number) },
    },
  ])
  await context.close()
})

test('[F95] trials from a table start one after another by themselves, and the cells say what is right', async () => {
  const react = {
    ...block,
    trials: [{ text: '{{trial.sign}}', correctKey: '{{trial.key}}' }],
    autoStart: true,
    // They start without the test, so they wait until its key comes.
    timeoutMs: 60_000,
  }
  const { link, exported } = await openStudy(world, {
    ...study(),
    states: [
      {
        ...{ id: 'block', name: 'React', components: [component('arrows', 'reaction_time', react)] },
        end: { on: 'all_responded' as const },
      },
      { id: 'bye', name: 'Thanks', components: [] },
    ],
    tables: {
      signs: {
        rows: [
          { sign: '<', key: 'ArrowLeft' },
          { sign: '>', key: 'ArrowRight' },
        ],
      },
    },
    blocks: [{ id: 'signs', states: ['block'], trials: { table: 'signs' } }],
  })
  const person = await createPersonWithBrowser(browser())
  const { page } = person
  await page.goto(link)
  for (const sign of ['<', '>']) {
    await page.locator('.reaction-stimulus', { hasText: sign }).waitFor()
    await page.keyboard.press('ArrowLeft')
  }
  await page.getByRole('heading', { name: 'Thanks' }).waitFor()
  expect(answersOf(await exported())).toMatchObject([
    { trials: [{ key: 'ArrowLeft', correct: true }] },
    { trials: [{ key: 'ArrowLeft', correct: false }] },
  ])
  await person.leave()
})

test('a block whose picture is missing does not start; a reload starts it again, and the data says so', async () => {
  const { link, exported } = await openStudy(world, {
    ...study(),
    states: [
      {
        id: 'block',
        name: 'React',
        components: [
          component('arrows', 'reaction_time', { ...block, trials: [{ image: '/no-such-picture.png' }] }),
        ],
      },
    ],
  })
  const person = await createPersonWithBrowser(browser())
  const { page } = person
  await page.route('**/no-such-picture.png', (route) => route.abort())
  await page.goto(link)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('The pictures could not be loaded.').waitFor()
  await page.unroute('**/no-such-picture.png')
  await page.route('**/no-such-picture.png', (route) =>
    route.fulfill({ contentType: 'image/gif', body: Buffer.from(dot.split(',')[1] ?? '', 'base64') }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.reaction-stage[data-phase]').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.locator('.reaction-stimulus').waitFor()
  await page.keyboard.press('ArrowLeft')
  await waitUntil(async () => {
    const events = await exported()
    const starts = events.filter(({ type }) => type === 'trials_started').length
    return (starts === 2 && answersOf(events).length === 1) || `${starts} starts`
  })
  await person.leave()
})

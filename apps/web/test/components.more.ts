import type { Component, ExperimentDefinition } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { startWorld, type World, waitUntil } from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { clickIfShown, createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'
import { serveTone } from './tone.ts'

const browser = useBrowser()
let world: World
let tone: Awaited<ReturnType<typeof serveTone>>
beforeAll(async () => {
  world = await startWorld('embedded')
  tone = await serveTone(1_200)
})
afterAll(async () => {
  tone?.stop()
  await world?.stop()
})

interface Answering {
  /** Settings beyond the example of the type. */
  settings?: () => Record<string, unknown>
  /** What a person does; types without it are only shown. */
  act?(page: Page): Promise<unknown>
  /** What the export then holds. */
  stored?: unknown
  /** Components that it needs on the same page. */
  beside?: () => Component[]
}

const media = (): Record<string, unknown> => ({ src: tone.address })

/** The browser decides whether a video starts automatically; if not, the page offers a button. */
async function start(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^(start|play)/i })
  // It may have started and already be paused for a rating.
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll<HTMLMediaElement>('audio, video')].some(
        (one) => !one.paused || one.currentTime > 0,
      ) || document.querySelector('.start-button') !== null,
  )
  await clickIfShown(button)
}

/** A picture for the regions of the example. */
const street = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#9cb"/></svg>')}`

/** Every component type, answered as a person would. */
const answering: Record<string, Answering> = {
  text: {},
  image: { settings: () => ({ src: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' }) },
  countdown: {},
  payoff: { settings: () => ({ variable: 'earned' }) },
  timer: {},
  progress: {},
  multiple_choice: { act: (page) => page.getByLabel('Canberra').check(), stored: 'canberra' },
  dropdown: {
    // By typing, as in any native list.
    async act(page) {
      await page.getByLabel('Where do you live?').focus()
      await page.keyboard.type('Eg')
    },
    stored: 'eg',
  },
  date: { act: (page) => page.getByLabel('When were you born?').fill('1994-05-17'), stored: '1994-05-17' },
  text_input: { act: (page) => page.getByLabel('How old are you?').fill('34'), stored: 34 },
  slider: {
    async act(page) {
      await page.getByRole('slider').focus()
      await page.keyboard.press('End')
    },
    stored: 100,
  },
  likert: { act: (page) => page.getByRole('radio', { name: '5' }).check(), stored: 5 },
  ranking: {
    act: (page) => page.getByRole('button', { name: 'Move quality up' }).press('Enter'),
    stored: ['quality', 'price', 'looks'],
  },
  matrix: {
    async act(page) {
      await page.getByRole('group', { name: 'read a book' }).getByLabel('often').check()
      await page.getByRole('group', { name: 'take a walk' }).getByLabel('never').check()
    },
    stored: { read: 'often', walk: 'never' },
  },
  constant_sum: {
    async act(page) {
      await page.getByLabel('Rent').fill('60')
      await page.getByText('40 points left').waitFor()
      await page.getByLabel('Size').fill('50')
      await page.getByText('10 points too many').waitFor()
      await page.getByLabel('Size').fill('39')
      await page.getByLabel('Size').press('ArrowUp')
      await page.getByText('Everything is distributed').waitFor()
    },
    stored: { rent: 60, size: 40, place: 0 },
  },
  best_worst: {
    async act(page) {
      const choose = (name: string) => page.getByRole('radio', { name }).check()
      await choose('Most: pay')
      await choose('Least: colleagues')
      // An item is one or the other.
      await choose('Most: colleagues')
      await choose('Least: short way to work')
    },
    stored: { best: 'colleagues', worst: 'short way to work' },
  },
  semantic_differential: {
    async act(page) {
      await page.getByRole('radio', { name: '7 of 7, warm' }).check()
      const group = page.getByRole('group', { name: 'From clumsy to skilful' })
      await group.getByRole('radio', { name: '1 of 7, clumsy' }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowRight')
    },
    stored: { warmth: 7, competence: 2 },
  },
  text_rows: {
    async act(page) {
      await page.getByLabel('First').fill('green')
      await page.getByLabel('Second').fill('calm')
      await page.getByLabel('Third').fill('x'.repeat(41))
      await page.getByText('too long').waitFor()
      await page.getByLabel('Third').fill('hilly')
    },
    stored: { first: 'green', second: 'calm', third: 'hilly' },
  },
  hot_spot: {
    settings: () => ({ src: street, maxMarks: 2 }),
    async act(page) {
      const picture = page.getByRole('application')
      const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
      const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
      await picture.click({ position: { x: width * 0.25, y: height * 0.5 } })
      await said('Mark 1 set: 25 % from the left, 50 % from the top, Shop window')
      for (const _step of [1, 2, 3]) await picture.press('Shift+ArrowRight')
      await picture.press('ArrowDown')
      await said('55 % from the left, 51 % from the top, Bus')
      await picture.press('Enter')
      await said('Mark 2 set')
      // What is marked already is not marked again, and no third place is.
      await picture.press('Enter')
      await said('Mark 2 removed')
      await picture.press(' ')
      await page.getByText('Mark without pointing').click()
      await page.getByRole('button', { name: 'Move the crosshair left' }).click()
      await page.getByRole('button', { name: 'Mark', exact: true }).click()
      await said('All 2 marks are set')
      await page.getByRole('button', { name: 'Remove mark 1: 25 % from the left' }).click()
      await page.getByRole('button', { name: 'Mark', exact: true }).click()
      await said('Mark 2 set: 50 % from the left')
    },
    stored: {
      marks: [
        { x: expect.closeTo(55, 0), y: expect.closeTo(51, 0) },
        { x: expect.closeTo(50, 0), y: expect.closeTo(51, 0) },
      ],
      regions: ['bus', 'bus'],
    },
  },
  attention_check: {
    act: (page) => page.getByLabel('often').check(),
    stored: { answer: 'often', passed: false },
  },
  reaction_time: {
    settings: () => ({ fixationMs: 100, intervalMs: 100, feedback: true, feedbackMs: 100 }),
    async act(page) {
      await page.getByRole('button', { name: 'Start' }).click()
      for (const [stimulus, key] of [
        ['A', 'f'],
        ['K', 'f'],
      ] as const) {
        await page.locator('.reaction-stimulus', { hasText: stimulus }).waitFor()
        await page.keyboard.press(key)
      }
    },
    stored: {
      trials: [
        expect.objectContaining({ trial: 0, key: 'f', correct: true, input: 'keyboard', hidden: false }),
        expect.objectContaining({ trial: 1, key: 'f', correct: false, rtMs: expect.any(Number) }),
      ],
      precision: { frameMs: expect.any(Number), clockStepMs: expect.any(Number) },
    },
  },
  jspsych: {
    async act(page) {
      await page.getByRole('button', { name: 'Start' }).click()
      for (const [stimulus, key] of [
        ['A', 'f'],
        ['K', 'j'],
      ] as const) {
        await page.frameLocator('iframe').getByText(stimulus, { exact: true }).waitFor()
        await page.keyboard.press(key)
      }
    },
    stored: {
      trials: [
        expect.objectContaining({ trial_index: 0, stimulus: '+', response: null, rt: null }),
        expect.objectContaining({ trial_index: 1, stimulus: 'A', response: 'f', kind: 'vowel' }),
        expect.objectContaining({ trial_index: 2, stimulus: '+' }),
        expect.objectContaining({ trial_index: 3, stimulus: 'K', response: 'j', rt: expect.any(Number) }),
      ],
    },
  },
  file_upload: {
    async act(page) {
      const buffer = Buffer.from('pixels')
      const field = page.getByLabel('A photo of your desk')
      await field.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer })
      await page.getByText('This kind of file is not accepted here.').waitFor()
      await field.setInputFiles({ name: 'desk.png', mimeType: 'image/png', buffer })
      await page.getByText('desk.png').waitFor()
    },
    stored: { fileId: expect.stringMatching(/^file_/), name: 'desk.png', type: 'image/png', size: 6 },
  },
  audio_answer: {
    async act(page) {
      // Without a microphone, the page says so and offers to try again.
      await page.getByRole('button', { name: 'Record' }).click()
      await page.getByText(/No microphone was found|The microphone is blocked/).waitFor()
      // A tone in its place: the rest is the real recorder.
      await page.evaluate(() => {
        const sound = new AudioContext()
        const out = sound.createMediaStreamDestination()
        const tone = sound.createOscillator()
        tone.connect(out)
        tone.start()
        Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: async () => out.stream })
      })
      await page.getByRole('button', { name: 'Record' }).click()
      await page.getByRole('timer').filter({ hasText: '0:01' }).waitFor()
      await page.getByRole('button', { name: 'Stop recording' }).click()
      await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) > 0)
      await page.getByRole('button', { name: 'Use this recording' }).click()
      await page.getByText('Your recording is ready to be sent.').waitFor()
    },
    stored: expect.objectContaining({
      fileId: expect.stringMatching(/^file_/),
      type: 'audio/webm',
      size: expect.any(Number),
      durationMs: expect.any(Number),
    }),
  },
  chat: {
    async act(page) {
      await page.getByLabel('Your message').fill('hello')
      await page.getByRole('button', { name: 'Send' }).click()
    },
  },
  consent: {
    settings: () => ({ minReadMs: 0, requireScroll: false }),
    act: (page) => page.getByRole('button', { name: /^I agree/ }).click(),
    stored: expect.objectContaining({ agreed: true }),
  },
  instructions: {
    async act(page) {
      await page.getByRole('button', { name: /next/i }).click()
      await page.getByRole('button', { name: 'Go to the questions' }).click()
      await page.getByRole('radio', { name: '0', exact: true }).check()
      await page.getByRole('button', { name: /check/i }).click()
    },
    stored: { answers: { both_steal: 0 } },
  },
  video: { settings: media, act: start, stored: expect.objectContaining({ ended: true }) },
  audio: { settings: media, act: start, stored: expect.objectContaining({ ended: true }) },
  continuous_rating: {
    settings: () => ({ sampleMs: 20, mediaId: 'rated-film' }),
    beside: () => [component('rated-film', 'audio', { ...media(), autoplay: false })],
    async act(page) {
      // Before playback, which is short: samples are taken only while it plays.
      await page.getByRole('slider').focus()
      await page.keyboard.press('ArrowRight')
      await start(page)
    },
    stored: expect.arrayContaining([expect.objectContaining({ value: expect.any(Number) })]),
  },
  sparse_rating: {
    settings: () => ({ atMs: [500] }),
    beside: () => [component('film', 'audio', media())],
    async act(page) {
      await start(page)
      await page.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await page.getByRole('button', { name: 'Submit rating' }).click()
    },
    stored: { atMs: 500, value: 0 },
  },
  custom_html: {
    settings: () => ({
      required: true,
      html: `${componentTypes.custom_html?.example.settings.html}
        <script>addEventListener('message', ({ data }) => data.atrium === 'recorded' && document.body.append('Recorded'))</script>`,
    }),
    // Inside the frame: on a busy machine, clicks and keys of the outer page reach a frame that has just come too late.
    async act(page) {
      const frame = page.frameLocator('iframe')
      await waitUntil(
        async () => {
          await frame.getByRole('button', { name: 'Press' }).dispatchEvent('click')
          return (
            (await frame.getByText('Recorded').count()) > 0 || 'the frame has not heard that it is recorded'
          )
        },
        { everyMs: 500 },
      )
    },
    stored: { pressed: true },
  },
}

/** A type that nobody has written down here is only looked at. */
const onlyLookedAt: Answering = { settings: () => ({ required: false }) }

const types = Object.keys(componentTypes)
const globalTypes = types.filter((type) => componentTypes[type]?.place === 'global')
const pageTypes = types.filter((type) => !globalTypes.includes(type))

const shownOf = (type: string): Component => {
  const { settings = () => ({}) } = answering[type] ?? onlyLookedAt
  return component(type, type, { ...componentTypes[type]?.example.settings, ...settings() })
}

/** A page for each type, so that one person sees all of them in one browser. */
const everyType = (): ExperimentDefinition => ({
  name: 'All components',
  states: pageTypes.map((type) => ({
    id: `page-${type}`,
    name: `Look at ${type}`,
    components: [...(answering[type]?.beside?.() ?? []), shownOf(type)],
  })),
  globalComponents: globalTypes.map(shownOf),
  variables: { earned: { scope: 'participant', initial: 12.5 } },
  completion: { codes: { SUCCESS: 'SEEN-IT' } },
})

test('every case here names a component type', () => {
  expect(Object.keys(answering).filter((type) => !types.includes(type))).toEqual([])
})

test('every type is shown, accessible, within a small screen, answered and stored', async () => {
  const study = await openStudy(world, everyType())
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 320, height: 640 })
  await page.goto(study.link)
  for (const [index, type] of pageTypes.entries()) {
    await page.getByRole('heading', { name: `Look at ${type}`, exact: true }).waitFor()
    await expectGoodPage(page, type)
    await answering[type]?.act?.(page)
    const next = pageTypes[index + 1]
    await finish(page, type, page.getByText(next === undefined ? 'SEEN-IT' : `Look at ${next}`))
    expect(pageErrors, type).toEqual([])
  }
  const exported = await study.exported()
  for (const type of types) {
    const answers = exported.filter(
      ({ type: kind, componentId }) => kind === 'component_response' && componentId === type,
    )
    const { stored } = answering[type] ?? {}
    if (stored === undefined) expect(answers, type).toEqual([])
    else
      expect(
        answers.map(({ data }) => data.value),
        type,
      ).toContainEqual(stored)
  }
  await leave()
})

/** Gates continue automatically; a video has to end first; everything else waits for the button. */
async function finish(page: Page, type: string, whatFollows: Locator): Promise<void> {
  const heading = page.getByRole('heading', { name: `Look at ${type}`, exact: true })
  // Of this page alone: the next one may come between a look and a press, and would be left before anybody has seen it.
  const button = page.locator('form', { has: heading }).getByRole('button', { name: 'Continue' })
  await waitUntil(
    async () => {
      if (await whatFollows.isVisible()) return true
      const unfinished = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLMediaElement>('audio:not([controls]), video')]
          .filter(({ ended }) => !ended)
          .map(({ paused, currentTime }) => `${paused ? 'paused' : 'playing'} at ${currentTime} s`),
      )
      if (unfinished.length === 0) await clickIfShown(button)
      const said = [(await page.locator('body').textContent())?.slice(0, 400)]
      return `the page of ${type} is not over: ${[...unfinished, ...said].join('; ')}`
    },
    { everyMs: 100 },
  )
}

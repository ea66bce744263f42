import type { ExperimentDefinition } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { example } from './example.ts'
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

const study = (timeline: object[]) => ({
  name: 'Letters',
  states: [
    { id: 'task', name: 'Letters', components: [component('task', 'jspsych', { timeline })] },
    { id: 'bye', name: 'Thanks', components: [] },
  ],
})

const letter = (stimulus: string, more: object = {}) => ({
  type: 'html-keyboard-response',
  stimulus,
  choices: ['f', 'j'],
  ...more,
})

const frameOf = (page: Page): FrameLocator => page.frameLocator('.jspsych-frame')
const start = (page: Page) => page.getByRole('button', { name: 'Start' }).click()
/** The frame gets the keys once the page knows that the timeline runs, which may be after the first trial is shown. */
async function press(page: Page, key: string): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.matches('.jspsych-frame'))
  await page.keyboard.press(key)
}
/**
 * Until exactly so many trials are over. The count only rises and then stands until a key is pressed; what a trial shows
 * comes and goes, and a busy machine may miss it.
 */
const finishedTrials = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) => Reflect.get(document.querySelector('.jspsych-progress') ?? {}, 'value') === wanted,
    count,
  )
const thanks = (page: Page) => page.getByRole('heading', { name: 'Thanks' }).waitFor()

interface Exported {
  type: string
  componentId?: string | null
  data: object
}
const trialsIn = (events: readonly Exported[], id = 'task'): Record<string, unknown>[] =>
  events.flatMap(({ type, componentId, data }) =>
    type === 'component_response' && componentId === id && 'value' in data
      ? (data.value as { trials: Record<string, unknown>[] }).trials
      : [],
  )

/** A person answers within three seconds; a browser on a busy machine need not. */
const withoutTimeLimit = (definition: ExperimentDefinition): ExperimentDefinition =>
  JSON.parse(JSON.stringify(definition).replaceAll('"trial_duration":3000', '"trial_duration":null'))

test('the example: keys answer, feedback and gaps follow, and every trial is in the export', async () => {
  const { link, exported } = await openStudy(world, withoutTimeLimit(example('stroop')))
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  await page.getByRole('button', { name: 'I agree' }).click()
  await page.getByRole('button', { name: 'Start' }).waitFor()
  await expectGoodPage(page, 'before the task')
  await start(page)
  const frame = frameOf(page)
  const words = { RED: 'r', GREEN: 'g', BLUE: 'b' }
  const shown = frame.locator('#jspsych-content span')
  /** Once the fixation before it is over. By what the word says, so that incongruent trials are answered wrongly. */
  async function answer(trialIndex: number): Promise<string> {
    await finishedTrials(page, trialIndex)
    await shown.waitFor()
    const word = (await shown.textContent()) ?? ''
    await press(page, words[word as keyof typeof words])
    return word
  }
  for (const trialIndex of [1, 3, 5]) await answer(trialIndex)
  await frame.getByText('Now it counts').waitFor()
  await expectGoodPage(page, 'during the task')
  await press(page, 'Space')
  const seen: string[] = []
  for (let trial = 0; trial < 12; trial++) seen.push(await answer(8 + 2 * trial))
  await page.locator('[data-component="effort"]').waitFor()

  const trials = trialsIn(await exported(), 'stroop')
  expect(trials).toHaveLength(2 * 3 + 1 + 2 * 12)
  expect(trials.map(({ trial_index }) => trial_index)).toEqual(trials.map((_, index) => index))
  const practised = trials.filter(({ part }) => part === 'practice')
  expect(practised.map(({ correct, trial_type }) => [correct, trial_type])).toEqual([
    [true, 'categorize-html'],
    [false, 'categorize-html'],
    [false, 'categorize-html'],
  ])
  const tested = trials.filter(({ part }) => part === 'test')
  expect(tested.map(({ word }) => String(word).toUpperCase())).toEqual(seen)
  for (const { word, ink, condition, response, rt, correct_response: right } of tested) {
    expect(response).toBe(String(word)[0])
    expect(right).toBe(String(ink)[0])
    expect(condition).toBe(word === ink ? 'congruent' : 'incongruent')
    expect(rt).toBeGreaterThan(0)
  }
  expect(pageErrors).toEqual([])
  await leave()
})

test('after a reload, the timeline continues with the next trial, in the same order, and the data says so', async () => {
  const letters = ['A', 'B', 'C', 'D', 'E', 'F']
  const { link, exported } = await openStudy(
    world,
    study([
      {
        timeline: [letter('', { stimulus: { timelineVariable: 'letter' } })],
        timeline_variables: letters.map((shown) => ({ letter: shown })),
        randomize_order: true,
      },
    ]),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  await start(page)
  const shown = frameOf(page).locator('#jspsych-html-keyboard-response-stimulus')
  const answer = async () => {
    const text = (await shown.textContent()) ?? ''
    await press(page, 'f')
    return text
  }
  const seen = [await answer()]
  await shown.filter({ hasNotText: seen[0] ?? '' }).waitFor()
  seen.push(await answer())
  await shown.filter({ hasNotText: seen[1] ?? '' }).waitFor()
  const third = await shown.textContent()
  await page.reload()
  await page.getByText('It goes on where you stopped.').waitFor()
  await page.locator('.jspsych-stage').getByRole('button', { name: 'Continue' }).click()
  expect(await shown.textContent()).toBe(third)
  for (let left = 4; left > 0; left--) {
    const text = await answer()
    seen.push(text)
    if (left > 1) await shown.filter({ hasNotText: text }).waitFor()
  }
  await thanks(page)
  const trials = trialsIn(await exported())
  expect(trials.map(({ stimulus }) => stimulus)).toEqual(seen)
  expect([...seen].sort()).toEqual(letters)
  expect(trials.map(({ run }) => run)).toEqual([0, 0, 1, 1, 1, 1])
  const starts = (await exported()).filter(({ type }) => type === 'trials_started').map(({ data }) => data)
  expect(starts).toEqual([
    { finished: 0, run: 0 },
    { finished: 2, run: 1 },
  ])
  await leave()
})

test('on a phone, the keys that a trial waits for are large buttons', async () => {
  const { link, exported } = await openStudy(
    world,
    study([letter('A'), letter('B', { choices: 'ALL_KEYS' })]),
  )
  const context = await browser().newContext({
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Start' }).tap()
  const right = frameOf(page).getByRole('button', { name: 'J' })
  await right.waitFor()
  const { height = 0 } = (await right.boundingBox()) ?? {}
  expect(height).toBeGreaterThanOrEqual(72)
  await right.tap()
  await frameOf(page).getByRole('button', { name: 'Continue' }).tap()
  await thanks(page)
  expect(trialsIn(await exported())).toEqual([
    expect.objectContaining({ response: 'j' }),
    expect.objectContaining({ response: 'Enter' }),
  ])
  await context.close()
})

const hostile = `<h3>Look</h3>
  <script>window.ran = 'script'</script>
  <img src="/nothing.png" onerror="window.ran = 'handler'">
  <svg onload="window.ran = 'svg'"></svg>
  <iframe srcdoc="<script>parent.ran = 'frame'</script>"></iframe>
  <a id="link" href="javascript:window.ran = 'link'">link</a>
  <form id="away" action="https://example.org/"><button>away</button></form>`

test('HTML of a timeline runs no script, reaches no address, and knows nothing of the participant', async () => {
  const { link, exported } = await openStudy(world, study([letter(hostile)]))
  const { page, leave } = await createPersonWithBrowser(browser())
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await start(page)
  const frame = frameOf(page)
  await frame.getByRole('heading', { name: 'Look' }).waitFor()
  await frame.locator('#link').click()
  await frame.getByRole('button', { name: 'away' }).click()
  const [inside] = page.frames().filter((each) => each.url().endsWith('/jspsych.html'))
  const found = await inside?.evaluate(async () => {
    const refused = (attempt: () => unknown) =>
      Promise.resolve()
        .then(attempt)
        .then(
          () => 'allowed',
          () => 'refused',
        )
    // Even from inside, as a plugin might do with HTML: an element that browsers do run.
    const script = document.createElement('script')
    script.textContent = 'window.ran = "element"'
    document.body.append(script)
    return {
      ran: 'ran' in window ? window.ran : 'nothing',
      origin: self.origin,
      network: await refused(() => fetch('/health/live')),
      elsewhere: await refused(() => fetch('https://example.org/')),
      storage: await refused(() => localStorage.length),
      cookies: await refused(() => document.cookie),
      page: await refused(() => parent.document.title),
    }
  })
  expect(found).toEqual({
    ran: 'nothing',
    origin: 'null',
    network: 'refused',
    elsewhere: 'refused',
    storage: 'refused',
    cookies: 'refused',
    page: 'refused',
  })
  expect(asked.filter((address) => new URL(address).hostname === 'example.org')).toEqual([])
  expect(inside?.url()).toContain('/jspsych.html')
  // It is still a trial.
  await page.locator('.jspsych-frame').focus()
  await page.keyboard.press('f')
  await thanks(page)
  expect(trialsIn(await exported())).toEqual([expect.objectContaining({ response: 'f' })])
  await leave()
})

const pressWhenShown = (shown: string, key: string) => async (page: Page, frame: FrameLocator) => {
  await frame.locator(shown).waitFor()
  await press(page, key)
}

/** Each plugin with the least that it needs, what a person does, and what is recorded. */
const onePerPlugin: [
  trial: object,
  act: (page: Page, frame: FrameLocator) => Promise<unknown>,
  data: object,
][] = [
  [letter('A'), pressWhenShown('text=A', 'f'), { response: 'f' }],
  [
    { type: 'html-button-response', stimulus: 'B', choices: ['yes', 'no'] },
    (_page, frame) => frame.getByRole('button', { name: 'no' }).click(),
    { response: 1 },
  ],
  [
    { type: 'html-slider-response', stimulus: 'C', require_movement: true },
    async (page, frame) => {
      await frame.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await frame.getByRole('button', { name: 'Continue' }).click()
    },
    { response: 0, slider_start: 50 },
  ],
  [
    { type: 'image-keyboard-response', stimulus: dot, choices: ['f'] },
    pressWhenShown('#jspsych-image-keyboard-response-stimulus', 'f'),
    { response: 'f', stimulus: dot },
  ],
  [
    { type: 'image-button-response', stimulus: dot, choices: ['seen'] },
    (_page, frame) => frame.getByRole('button', { name: 'seen' }).click(),
    { response: 0 },
  ],
  [
    { type: 'image-slider-response', stimulus: dot },
    (_page, frame) => frame.getByRole('button', { name: 'Continue' }).click(),
    { response: 50 },
  ],
  [
    { type: 'categorize-html', stimulus: 'G', key_answer: 'f', choices: ['f', 'j'], feedback_duration: 50 },
    pressWhenShown('text=G', 'f'),
    { correct: true },
  ],
  [
    {
      type: 'same-different-html',
      stimuli: ['H', 'another'],
      answer: 'different',
      first_stim_duration: 50,
      gap_duration: 50,
      second_stim_duration: null,
    },
    pressWhenShown('text=another', 'p'),
    { correct: true },
  ],
  [
    { type: 'iat-html', stimulus: 'I', stim_key_association: 'left' },
    pressWhenShown('#jspsych-iat-stim', 'e'),
    { correct: true },
  ],
  [
    { type: 'serial-reaction-time', target: [0, 1], choices: [['f', 'j', 'k', 'l']] },
    pressWhenShown('[id$="cell-0-1"]', 'j'),
    { correct: true },
  ],
  [
    { type: 'survey-likert', questions: [{ prompt: 'Fun?', labels: ['no', 'yes'], name: 'fun' }] },
    async (_page, frame) => {
      await frame.getByRole('radio').last().check()
      await frame.getByRole('button', { name: 'Continue' }).click()
    },
    { response: { fun: 1 } },
  ],
  [
    { type: 'survey-multi-choice', questions: [{ prompt: 'Which?', options: ['a', 'b'], required: true }] },
    async (_page, frame) => {
      await frame.getByLabel('b', { exact: true }).check()
      await frame.getByRole('button', { name: 'Continue' }).click()
    },
    { response: { Q0: 'b' } },
  ],
  [
    { type: 'survey-multi-select', questions: [{ prompt: 'Which?', options: ['a', 'b'] }] },
    async (_page, frame) => {
      await frame.getByLabel('a', { exact: true }).check()
      await frame.getByRole('button', { name: 'Continue' }).click()
    },
    { response: { Q0: ['a'] } },
  ],
  [
    { type: 'survey-text', questions: [{ prompt: 'Why?' }] },
    async (_page, frame) => {
      await frame.getByRole('textbox').fill('Because.')
      await frame.getByRole('button', { name: 'Continue' }).click()
    },
    { response: { Q0: 'Because.' } },
  ],
  [
    { type: 'instructions', pages: ['One', 'Two'], show_clickable_nav: true },
    async (_page, frame) => {
      await frame.getByRole('button', { name: 'Next' }).click()
      await frame.getByText('Two').waitFor()
      await frame.getByRole('button', { name: 'Next' }).click()
    },
    { view_history: expect.any(Array) },
  ],
]

test('every plugin runs in the frame, and its data is stored', async () => {
  const { link, exported } = await openStudy(world, study(onePerPlugin.map(([trial]) => trial)))
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  await start(page)
  for (const [index, [, act]] of onePerPlugin.entries()) {
    await finishedTrials(page, index)
    await act(page, frameOf(page))
  }
  await thanks(page)
  expect(trialsIn(await exported())).toEqual(
    onePerPlugin.map(([trial, , data]) =>
      expect.objectContaining({ ...data, trial_type: Reflect.get(trial, 'type') }),
    ),
  )
  // survey-text asks for the focus, which browsers do not give to a frame by itself.
  expect(pageErrors.filter((text) => !text.startsWith('Blocked autofocusing'))).toEqual([])
  await leave()
})

test('a picture that is missing does not start the task; it can be tried again', async () => {
  const { link } = await openStudy(
    world,
    study([{ type: 'image-keyboard-response', stimulus: '/no-such-picture.png', choices: ['f'] }]),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.route('**/no-such-picture.png', (route) => route.abort())
  await page.goto(link)
  await start(page)
  await page.getByText('This task could not be loaded.').waitFor()
  await page.unroute('**/no-such-picture.png')
  await page.route('**/no-such-picture.png', (route) =>
    route.fulfill({ contentType: 'image/gif', body: Buffer.from(dot.split(',')[1] ?? '', 'base64') }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await frameOf(page).locator('#jspsych-image-keyboard-response-stimulus').waitFor()
  await press(page, 'f')
  await thanks(page)
  await leave()
})

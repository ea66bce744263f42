import { createApi, createResearcher, pace, startServer } from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import {
  type KeySource,
  openReactionPage,
  type ReactionPage,
  reactionBrowsers,
} from '../targets/reaction-page.ts'

interface Condition {
  browser: (typeof reactionBrowsers)[number]
  /** Through the browser's own input path, or dispatched by a script in the page. */
  keysFrom: KeySource
  /** Whether the page's main thread is kept busy for half of the time. */
  isBusy: boolean
}

interface ConditionResult extends Condition {
  trials: number
  /** Distance of the recorded time of a key from the time at which it was injected. */
  keyErrorMs: number[]
  /** How exactly the time of the injection is known. */
  knownWithinMs: number[]
  /** From the recorded onset to the end of the frame that showed the stimulus. */
  paintedAfterMs: number[]
  frameMs: number
  clockStepMs: number
}

export interface ReactionResult {
  results: ConditionResult[]
}

const conditions: Condition[] = reactionBrowsers.flatMap((browser) => [
  { browser, keysFrom: 'input', isBusy: false },
  { browser, keysFrom: 'input', isBusy: true },
  { browser, keysFrom: 'script', isBusy: false },
])
const nameOf = ({ browser, keysFrom, isBusy }: Condition): string =>
  [browser, keysFrom === 'script' ? 'keys from a script' : '', isBusy ? 'busy page' : '']
    .filter(Boolean)
    .join(', ')

const trialsPerBlock = 60
const delayMs = { least: 120, most: 520 }

/** Keys are pressed at known times in real browsers: how far is the recorded reaction time from the true one? */
export async function benchReaction(): Promise<ReactionResult> {
  const server = await startServer({})
  try {
    const api = createApi(server.http)
    const researcher = await createResearcher(api)
    const results: ConditionResult[] = []
    for (const condition of conditions) {
      const experimentId = await researcher.openExperiment(study)
      const page = await openReactionPage(condition.browser, `${server.http}/join/${experimentId}`)
      try {
        const pressed = await pressKeys(page, condition)
        const response = responseIn(await researcher.exported(experimentId))
        results.push({ ...condition, ...compare(pressed, await page.painted(), response) })
      } finally {
        await page.close()
      }
    }
    return { results }
  } finally {
    await server.stop()
  }
}

const study = {
  name: 'Reactions',
  states: [
    {
      id: 'block',
      components: [
        {
          id: 'it',
          type: 'reaction_time',
          keys: ['f'],
          trials: Array.from({ length: trialsPerBlock }, (_, trial) => ({ text: `#${trial}` })),
          timeoutMs: 10_000,
          fixationMs: 100,
          intervalMs: 100,
        },
      ],
    },
    { id: 'bye', components: [] },
  ],
}

interface Pressed {
  /** By the page's clock. */
  atMs: number
  withinMs: number
}

async function pressKeys(page: ReactionPage, { isBusy, keysFrom }: Condition): Promise<Pressed[]> {
  await page.start(isBusy)
  const pressed: Pressed[] = []
  for (let trial = 0; trial < trialsPerBlock; trial++) {
    await page.untilShown(trial)
    // Spread evenly, so that keys fall everywhere between two frames.
    const share = ((trial * 31) % trialsPerBlock) / trialsPerBlock
    await pace(delayMs.least + share * (delayMs.most - delayMs.least))
    pressed.push(await page.press('f', keysFrom))
  }
  await page.untilSent()
  return pressed
}

interface Response {
  trials: { onsetMs: number; rtMs: number | null }[]
  precision: { frameMs: number; clockStepMs: number }
}

function responseIn(exported: readonly { type: string; data: Record<string, unknown> }[]): Response {
  const stored = exported.find(({ type }) => type === 'component_response')
  if (!stored) throw new Error('the block was not stored')
  return stored.data.value as Response
}

function compare(pressed: Pressed[], paintedAtMs: number[], { trials, precision }: Response) {
  if (trials.length !== pressed.length || paintedAtMs.length !== pressed.length)
    throw new Error('a trial is missing')
  return {
    trials: trials.length,
    keyErrorMs: trials.map(
      ({ onsetMs, rtMs }, index) => onsetMs + (rtMs ?? Number.NaN) - (pressed[index]?.atMs ?? 0),
    ),
    knownWithinMs: pressed.map(({ withinMs }) => withinMs),
    paintedAfterMs: trials.map(({ onsetMs }, index) => (paintedAtMs[index] ?? Number.NaN) - onsetMs),
    ...precision,
  }
}

function spread(values: number[]): { p50: number; p95: number } {
  const sorted = new Float64Array(values).sort()
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
}

/** A display adds its own delay to this, which no page can know. */
const maxKeyErrorMs = 4

export function renderReaction({ results }: ReactionResult): Section {
  const rows = results.map((result) => {
    const key = spread(result.keyErrorMs.map(Math.abs))
    const painted = spread(result.paintedAfterMs)
    const known = spread(result.knownWithinMs)
    const figures = [key.p50, key.p95, known.p50, known.p95, painted.p50, painted.p95]
    return [nameOf(result), ...[...figures, result.frameMs, result.clockStepMs].map((ms) => ms.toFixed(2))]
  })
  // Where the time of a key is not known exactly, the error says more about the driver than about the page.
  const known = results.filter(({ knownWithinMs }) => spread(knownWithinMs).p95 < maxKeyErrorMs)
  const findings = known.map(
    (result): Finding => ({
      what: `Reaction trials, ${nameOf(result)}: key error, p95`,
      value: spread(result.keyErrorMs.map(Math.abs)).p95,
      unit: 'ms',
      most: maxKeyErrorMs,
    }),
  )
  const head = [
    'browser',
    'key p50 ms',
    'p95',
    'known within p50',
    'p95',
    'painted p50',
    'p95',
    'frame',
    'clock step',
  ]
  const text = `### Reaction trials

${table(head, rows)}

${findingLines(findings)}
- ${results[0]?.trials} trials each. *key*: distance of the recorded time of a key from the time of its injection. Keys go through the
  browser's own input path, where they wait for the page as those of a keyboard do. Chromium is told the time of each key
  (\`Input.dispatchKeyEvent\` over CDP takes a time stamp, as a keyboard driver gives one). Firefox takes none over WebDriver BiDi: there the
  time only lies between sending the command and its acknowledgement. Half of that is *known within*, the middle counts as the
  time, and the error is mostly that of the driver. Therefore also *keys from a script*: events that a script in the page
  dispatches at a time that it knows exactly, but which wait for nothing.
- *painted*: from the recorded onset (the time stamp of the frame) until that frame was rendered, as seen by a script in the page. The stimulus is
  visible from then on, plus the delay of the display, which no page can measure. This delay is part of every reaction
  time, and about the same in every trial.
- *busy page*: a script keeps the page's thread busy for 25 of every 50 ms, as a slow computer would.
`
  return { text, findings }
}

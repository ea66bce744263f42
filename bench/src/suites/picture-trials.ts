import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher, openBrowser, pace, startServer, waitUntil } from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import { barePictures, samplePictures, uploadPictures } from '../targets/pictures.ts'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>

const answerAfterMs = 150
/** A frame that takes longer has left out another. */
const longFrames = 1.5

interface Played {
  /** From each key to the frame with the next picture. */
  nextMs: number[]
  /** Of all frames from a key to the next picture, as long as each took. */
  framesMs: number[]
}

export interface PictureTrialsResult {
  trials: number
  megabytes: number
  preloadMs: number
  /** Pictures that were fetched from the server once the trials had begun. */
  fetchedLate: number
  ours: Played
  floor: Played
}

/** R66, R67: a block of trials with a picture each, answered with keys; the floor is a bare page with the same pictures. */
export async function benchPictureTrials({ trials }: BenchOptions): Promise<PictureTrialsResult> {
  const browser = await openBrowser()
  const server = await startServer({})
  try {
    const pictures = await samplePictures(trials)
    const researcher = await createResearcher(createApi(server.http))
    const bytes = await uploadPictures(server.http, researcher.token, pictures)
    const experimentId = await researcher.openExperiment(studyOf([...pictures.keys()]))

    const page = await browser.newPage({ viewport: { width: 1_280, height: 860 } })
    let fetched = 0
    page.on('response', (response) => {
      if (response.url().includes('/media/') && !response.fromServiceWorker()) fetched += 1
    })
    const begunAt = performance.now()
    await page.goto(`${server.http}/join/${experimentId}`)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await waitUntil(() => fetched >= trials || `${fetched} of ${trials} pictures have been fetched`)
    const preloadMs = performance.now() - begunAt
    await page.evaluate(watching)
    await page.getByRole('button', { name: 'Continue' }).click()
    const ours = await answerAll(page, trials)

    const bare = await browser.newPage({ viewport: { width: 1_280, height: 860 } })
    await bare.setContent(barePictures(pictures))
    await bare.evaluate(watching)
    await bare.evaluate('window.begin()')
    const floor = await answerAll(bare, trials)
    return { trials, megabytes: bytes / 1e6, preloadMs, fetchedLate: fetched - trials, ours, floor }
  } finally {
    await browser.close()
    await server.stop()
  }
}

const studyOf = (names: readonly string[]): ExperimentDefinition => ({
  name: 'Pictures',
  states: [
    { id: 'rules', components: [{ id: 'rule', type: 'text', ...{ text: 'Press F.' } }] },
    {
      id: 'look',
      end: { on: 'all_responded' },
      components: [
        {
          id: 'press',
          type: 'reaction_time',
          ...{
            keys: ['f'],
            trials: [{ image: '{{trial.picture}}', alt: 'A picture' }],
            ...{ timeoutMs: 10_000, fixationMs: 0, intervalMs: 0, autoStart: true },
          },
        },
      ],
    },
    { id: 'bye', components: [] },
  ],
  tables: { pictures: { rows: names.map((name) => ({ picture: `media:${name}` })) } },
  blocks: [{ id: 'all', states: ['look'], trials: { table: 'pictures', order: 'random' } }],
})

async function answerAll(page: Page, trials: number): Promise<Played> {
  for (let trial = 0; trial < trials; trial++) {
    await page.evaluate(`window.whenShown(${trial})`)
    await pace(answerAfterMs)
    await page.keyboard.press('f')
  }
  return await page.evaluate('window.played')
}

/** Notes when each picture has been drawn, and the frames between a key and the next picture. As text, because it runs in the page. */
const watching = `(() => {
  window.played = { nextMs: [], framesMs: [] }
  const waiting = new Map()
  let shown = 0
  let pressedAt
  let lastFrameAt
  let frames = []
  const draw = (at) => {
    if (pressedAt !== undefined && lastFrameAt !== undefined) frames.push(at - lastFrameAt)
    lastFrameAt = at
    requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw)
  window.whenShown = (trial) => new Promise((resolve) => {
    if (shown > trial) resolve(); else waiting.set(trial, resolve)
  })
  addEventListener('keydown', ({ timeStamp }) => { pressedAt = timeStamp; frames = [] }, { capture: true })
  new MutationObserver((changes) => {
    const isShown = changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.classList?.contains('reaction-stimulus') || node.querySelector?.('.reaction-stimulus')))
    if (!isShown) return
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      if (pressedAt !== undefined) {
        window.played.nextMs.push(performance.now() - pressedAt)
        window.played.framesMs.push(...frames)
      }
      pressedAt = undefined
      waiting.get(shown++)?.()
    }
    port2.postMessage(null)
  }).observe(document.body, { childList: true, subtree: true })
})()`

function factsOf({ nextMs, framesMs }: Played) {
  const [next, frames] = [new Float64Array(nextMs).sort(), new Float64Array(framesMs).sort()]
  const frameMs = percentile(frames, 0.5)
  const dropped = framesMs
    .filter((ms) => ms > longFrames * frameMs)
    .reduce((sum, ms) => sum + Math.round(ms / frameMs) - 1, 0)
  return { p50: percentile(next, 0.5), p95: percentile(next, 0.95), frameMs, dropped }
}

export function renderPictureTrials(result: PictureTrialsResult): Section {
  const [ours, floor] = [factsOf(result.ours), factsOf(result.floor)]
  const row = (name: string, { p50, p95, frameMs, dropped }: typeof ours) => [
    name,
    ...[p50, p95, frameMs].map((ms) => ms.toFixed(1)),
    String(dropped),
  ]
  const findings: Finding[] = [
    {
      what: `Frames left out between ${result.trials} trials with pictures, beyond those of a bare page`,
      value: Math.max(0, ours.dropped - floor.dropped),
      digits: 0,
      most: 0,
    },
    { what: 'Pictures fetched after the trials began', value: result.fetchedLate, digits: 0, most: 0 },
  ]
  const text = `### Trials with pictures

${table(
  ['page', 'next picture p50 ms', 'p95', 'frame', 'frames left out'],
  [row('a block of trials', ours), row('floor: a bare page', floor)],
)}

${findingLines(findings)}
- ${result.trials} trials of one block in Chromium, each with another picture from Media (${result.megabytes.toFixed(0)} MB in all), which were fetched and decoded within
  ${(result.preloadMs / 1_000).toFixed(1)} s while the page before was read. A key is pressed ${answerAfterMs} ms after each picture. *next picture*: from the key to the end of the frame with the next
  one; in the block, the answer is stored in between, and the server has begun the next trial. *frames left out*: between a key and the next picture. The bare
  page has all pictures decoded, and exchanges them.
`
  return { text, findings }
}

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExperimentDefinition } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  openBrowser,
  type Server,
  startServer,
} from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

/** What Lighthouse calls slow 4G on a mid-range phone. */
const line = { latencyMs: 150, downKilobits: 1_638, upKilobits: 750 }
const cpuSlowdown = 4
const loadsPerRound = 3
/** The participant's JavaScript before any video, compressed as it is sent. */
const maxKilobytes = 132

const dist = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))
const survey = fileURLToPath(new URL('../../../examples/quick-survey.json', import.meta.url))

interface Load {
  firstPaintMs: number
  /** Until the text of the page is there. */
  shownMs: number
  /** What tasks took beyond 50 ms each until then. */
  blockingMs: number
  scriptBytes: number
}

export interface PagesResult {
  loads: Record<'page' | 'floor', Load[]>
}

/** The first page of a study on a slow line and a slow processor, against a bare page with the same text from the same server. */
export async function benchPages({ rounds }: BenchOptions): Promise<PagesResult> {
  const folder = createTemporaryFolder('bench-pages')
  const browser = await openBrowser()
  const server = await startServer({})
  let floor: Server | undefined
  try {
    const researcher = await createResearcher(createApi(server.http))
    const definition: ExperimentDefinition = JSON.parse(readFileSync(survey, 'utf8'))
    const link = `${server.http}/join/${await researcher.openExperiment(definition)}`
    cpSync(dist, folder.path, { recursive: true })
    writeFileSync(join(folder.path, 'index.html'), barePage(await textAt(browser, link)))
    // Otherwise the compressed forms of the real page would be sent.
    for (const ending of ['br', 'gz']) rmSync(join(folder.path, `index.html.${ending}`), { force: true })
    floor = await startServer({ env: { WEB_DIR: folder.path } })
    const loads: PagesResult['loads'] = { page: [], floor: [] }
    for (let load = 0; load < rounds * loadsPerRound; load++) {
      loads.floor.push(await loadOnce(browser, floor.http))
      loads.page.push(await loadOnce(browser, link))
    }
    return { loads }
  } finally {
    await browser.close()
    await floor?.stop()
    await server.stop()
    folder.remove()
  }
}

async function textAt(browser: Browser, link: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.goto(link)
  await page.locator('h1').waitFor()
  const texts = await page.locator('h1, h2, p, label, button').allTextContents()
  await page.close()
  return texts.filter((text) => text.trim() !== '')
}

const barePage = ([title = '', ...paragraphs]: string[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${paragraphs.map((each) => `<p>${each.replaceAll('<', '&lt;')}</p>`).join('')}</html>`

/** With a profile of its own, so that nothing is cached. */
async function loadOnce(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: line.latencyMs,
      downloadThroughput: (line.downKilobits * 1_000) / 8,
      uploadThroughput: (line.upKilobits * 1_000) / 8,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.goto(address)
    await page.locator('h1').waitFor({ timeout: 120_000 })
    return await page.evaluate(figuresInPage)
  } finally {
    await context.close()
  }
}

/** Entries of a browser, which has more kinds of them than Node. */
interface Timed {
  name: string
  startTime: number
  duration: number
}
interface Fetched {
  name: string
  encodedBodySize: number
}

/** Runs in the page. */
async function figuresInPage(): Promise<Load> {
  const shownMs = performance.now()
  // Entries come in a task of their own; a page without long tasks calls nobody.
  const entriesOf = (type: string) =>
    new Promise<Timed[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({
        type: type as never,
        buffered: true,
      })
      setTimeout(() => resolve([]), 1_000)
    })
  const [paints, tasks] = await Promise.all([entriesOf('paint'), entriesOf('longtask')])
  const resources: readonly Fetched[] = performance.getEntriesByType('resource') as never
  return {
    firstPaintMs: paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? Number.NaN,
    shownMs,
    blockingMs: tasks.reduce((total, { duration }) => total + duration - 50, 0),
    scriptBytes: resources
      .filter(({ name }) => /\.js(\?|$)/.test(name))
      .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0),
  }
}

const medianOf = (loads: Load[], pick: (load: Load) => number): number =>
  percentile(new Float64Array(loads.map(pick)).sort(), 0.5)

export function renderPages({ loads }: PagesResult): Section {
  const rows = (['page', 'floor'] as const).map((which) => [
    which === 'page' ? 'first page of a study' : 'floor: bare page, same text',
    ...[
      medianOf(loads[which], ({ firstPaintMs }) => firstPaintMs),
      medianOf(loads[which], ({ shownMs }) => shownMs),
      medianOf(loads[which], ({ blockingMs }) => blockingMs),
    ].map((ms) => ms.toFixed(0)),
    (medianOf(loads[which], ({ scriptBytes }) => scriptBytes) / 1_000).toFixed(0),
  ])
  const paint = (which: 'page' | 'floor') => medianOf(loads[which], ({ firstPaintMs }) => firstPaintMs)
  const findings: Finding[] = [
    { what: 'First contentful paint, slow line and processor', value: paint('page'), digits: 0, unit: 'ms' },
    { what: 'First contentful paint, page ÷ floor', value: paint('page') / paint('floor') },
    {
      what: 'Blocking time until the page is shown',
      value: medianOf(loads.page, ({ blockingMs }) => blockingMs),
      digits: 0,
      unit: 'ms',
    },
    {
      what: 'JavaScript of the first page, compressed',
      value: medianOf(loads.page, ({ scriptBytes }) => scriptBytes) / 1_000,
      digits: 0,
      unit: 'kB',
      most: maxKilobytes,
    },
  ]
  const text = `### The participant's first page on a slow phone

${table(['page', 'first paint ms', 'shown ms', 'blocking ms', 'JavaScript kB'], rows)}

${findingLines(findings)}
- Medians of ${loads.page.length} loads each in Chromium, in turns, without a cache. The line has ${line.latencyMs} ms of latency and ${(line.downKilobits / 1_000).toFixed(1)} Mbit/s, the processor is slowed
  down by ${cpuSlowdown} (both by Chromium's own tools). The floor is a page with the same text and nothing else, sent by the same server program. *Shown* is when the
  heading of the study is there, *blocking* what each task took beyond 50 ms until a second later. The link leads to the quick survey of the examples.
`
  return { text, findings }
}

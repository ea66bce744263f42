import { experimentRoutes, liveRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  openBrowser,
  pace,
  type Server,
  startServer,
  succeeded,
} from '@atrium/testkit'
import { cpuMicrosOf, percentile } from '../harness/measure.ts'
import { keyEveryMs, taken, threadMsOf, typing, watchInput } from '../harness/typing.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import { busyStudy, startBusyRooms } from '../targets/busy-rooms.ts'
import { largeDefinition } from '../targets/large-definition.ts'
import { type AnswerCost, conditionalPage, measureAnswers, noteLateReactions } from './conditional-page.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

const clicksPerRound = 30
const rooms = 500
const messagesPerSecond = 50
const watcherCounts = [0, 1, 10]
const watchedMs = 10_000
const large = { states: 200, components: 1_000 }
/** People take a response within a tenth of a second for an immediate one. */
const maxMs = 100
/** What a page does about a key must fit into one frame. */
const frameMs = 17

interface PageCost {
  /** Of the page’s own thread, for each round. */
  threadMsPerKey: number[]
  /** Keys after which the first frame did not show yet what comes or goes with them. */
  late: number
}

const places = {
  floor: 'floor: a bare text field',
  form: 'builder, name of a state',
  code: 'builder, code view',
  filter: 'monitor, filter field',
  page: 'monitor, next page',
  few: 'participants, 60 conditional questions, 6 come or go with each key',
  all: 'participants, 60 conditional questions, all come or go with each key',
} as const
type Place = keyof typeof places

/** What the server uses while so many watch the same 500 rooms. */
interface Watching {
  watchers: number
  /** Processor time, in cores. */
  cores: number
  kilobytesPerSecond: number
}

export interface InputResult {
  latenciesMs: Record<Place, number[]>
  watching: Watching[]
  answers: AnswerCost
  pages: Record<'floor' | 'few' | 'all', PageCost>
}

const noCost = (): PageCost => ({ threadMsPerKey: [], late: 0 })

/** From a key or a click to the frame that shows what it did, in Chromium, on the console’s largest pages. */
export async function benchInput({ rounds }: BenchOptions): Promise<InputResult> {
  const browser = await openBrowser()
  const server = await startServer({ env: { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '2000' } })
  const result: InputResult = {
    latenciesMs: { floor: [], form: [], code: [], filter: [], page: [], few: [], all: [] },
    watching: [],
    answers: { plain: Number.NaN, conditional: Number.NaN },
    pages: { floor: noCost(), few: noCost(), all: noCost() },
  }
  try {
    const api = createApi(server.http)
    const researcher = await createResearcher(api, ['researcher'], 'console:ada')
    const { experimentId: largeId } = succeeded(
      await api.call(experimentRoutes.create, {
        token: researcher.token,
        body: largeDefinition(large.states, large.components),
      }),
    )
    const conditional = {
      few: await researcher.openExperiment(conditionalPage(10)),
      all: await researcher.openExperiment(conditionalPage(1)),
    }
    result.answers = await measureAnswers(server, researcher, rounds)
    const busyId = await researcher.openExperiment(busyStudy)
    const busy = await startBusyRooms(server, busyId, rooms)
    try {
      const page = await signedIn(browser, server.http)
      for (let round = 0; round < rounds; round++) {
        await measureFloor(browser, result)
        await measureBuilder(page, `${server.http}/console/experiments/${largeId}`, result)
        for (const place of ['few', 'all'] as const)
          await measureConditions(browser, `${server.http}/join/${conditional[place]}`, place, result)
      }
      busy.talk(messagesPerSecond)
      for (let round = 0; round < rounds; round++)
        await measureMonitor(page, `${server.http}/console/experiments/${busyId}`, result)
      // Closes its stream.
      await page.close()
      for (const watchers of watcherCounts)
        result.watching.push(await measureWatching(server, { busyId, token: researcher.token, watchers }))
    } finally {
      busy.stop()
    }
    return result
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function signedIn(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } })
  const page = await context.newPage()
  await page.goto(`${address}/console`)
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor()
  return page
}

async function measureFloor(browser: Browser, result: InputResult): Promise<void> {
  const page = await browser.newPage()
  await page.setContent('<textarea></textarea>')
  await page.locator('textarea').click()
  await measurePage(page, 'floor', result)
  await page.close()
}

async function measureConditions(
  browser: Browser,
  address: string,
  place: 'few' | 'all',
  result: InputResult,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } })
  const page = await context.newPage()
  await page.goto(address)
  await page.getByLabel('Anything').click()
  const lateSoFar = await noteLateReactions(page)
  await measurePage(page, place, result)
  result.pages[place].late += await lateSoFar()
  await context.close()
}

async function measurePage(
  page: Page,
  place: 'floor' | 'few' | 'all',
  { latenciesMs, pages }: InputResult,
): Promise<void> {
  await watchInput(page)
  const threadMs = await threadMsOf(page)
  const latencies = await typing(page)
  latenciesMs[place].push(...latencies)
  pages[place].threadMsPerKey.push((await threadMs()) / latencies.length)
}

async function measureBuilder(page: Page, address: string, { latenciesMs }: InputResult): Promise<void> {
  await page.goto(`${address}/definition`)
  const outline = page.getByRole('navigation', { name: 'Outline of the study' })
  await outline.getByRole('button', { name: '101 State 100' }).first().click()
  await watchInput(page)
  await page.locator('[data-at="/states/100/name"] :is(input, textarea)').click()
  latenciesMs.form.push(...(await typing(page)))
  await page.getByText('Code', { exact: true }).click()
  const code = page.getByLabel('Definition (JSON)')
  await code.getByText('"A large study"').click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  latenciesMs.code.push(...(await typing(page)))
}

async function measureMonitor(page: Page, address: string, result: InputResult): Promise<void> {
  await page.goto(`${address}/rooms`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText(`All ${rooms}`).waitFor()
  await watchInput(page)
  await page.getByRole('combobox', { name: 'State' }).click()
  result.latenciesMs.filter.push(...(await typing(page)))
  await page.keyboard.press('Escape')
  for (let click = 0; click < clicksPerRound; click++) {
    await page.getByRole('button', { name: click % 2 === 0 ? 'Next page' : 'Previous page' }).click()
    await pace(keyEveryMs)
  }
  result.latenciesMs.page.push(...(await taken(page, clicksPerRound)))
}

interface WatchedStudy {
  busyId: string
  token: string
  watchers: number
}

async function measureWatching(server: Server, { busyId, token, watchers }: WatchedStudy): Promise<Watching> {
  const stopping = new AbortController()
  const path = liveRoutes.stream.path.replace(':experimentId', busyId)
  let bytes = 0
  for (let watcher = 0; watcher < watchers; watcher++) {
    const { body } = await fetch(server.http + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: stopping.signal,
    })
    const read = async () => {
      for await (const chunk of body ?? []) bytes += chunk.length
    }
    read().catch(() => undefined)
  }
  // The first message has everything; only what follows is measured.
  await pace(2_000)
  const before = { cpu: cpuMicrosOf(server.pid), bytes, at: performance.now() }
  await pace(watchedMs)
  const ms = performance.now() - before.at
  const measured = {
    watchers,
    cores: (cpuMicrosOf(server.pid) - before.cpu) / 1_000 / ms,
    kilobytesPerSecond: (bytes - before.bytes) / ms,
  }
  stopping.abort()
  return measured
}

const p = (latencies: number[], share: number): number =>
  percentile(new Float64Array(latencies).sort(), share)

export function renderInput({ latenciesMs, watching, answers, pages }: InputResult): Section {
  const names = Object.keys(places) as Place[]
  const rows = names.map((place) => [
    places[place],
    ...[0.5, 0.95, 1].map((share) => p(latenciesMs[place], share).toFixed(0)),
    String(latenciesMs[place].length),
  ])
  const findings: Finding[] = names
    .filter((place) => place !== 'floor' && place !== 'few' && place !== 'all')
    .map((place) => ({
      what: `Input latency p95, ${places[place]}`,
      value: p(latenciesMs[place], 0.95),
      digits: 0,
      unit: 'ms',
      most: maxMs,
    }))
  for (const place of ['few', 'all'] as const)
    findings.push({
      what: `From a key to the frame, p95 beyond a bare text field, ${places[place]}`,
      value: p(latenciesMs[place], 0.95) - p(latenciesMs.floor, 0.95),
      digits: 0,
      unit: 'ms',
      most: frameMs,
    })
  const threadMs = (place: keyof typeof pages) => Math.min(...pages[place].threadMsPerKey)
  for (const place of ['few', 'all'] as const)
    findings.push({
      what: `Time of the page’s thread for a key beyond a bare text field, ${places[place]}`,
      value: threadMs(place) - threadMs('floor'),
      digits: 1,
      unit: 'ms',
      most: frameMs,
    })
  findings.push({
    what: 'Keys whose questions had not come or gone in the first frame drawn after them',
    value: pages.few.late + pages.all.late,
    digits: 0,
    most: 0,
  })
  findings.push({
    what: 'Processor time for an answer in a room with 50 conditional questions, divided by that without conditions',
    value: answers.conditional / answers.plain,
    most: 1.2,
  })
  const coresWith = (count: number) =>
    watching.find(({ watchers }) => watchers === count)?.cores ?? Number.NaN
  findings.push({
    what: `Processor time for the first watcher of ${rooms} rooms`,
    value: coresWith(1) - coresWith(0),
    unit: 'cores',
  })
  findings.push({
    what: 'For each further watcher',
    // Less than the kernel counts may come out below nothing.
    value: Math.max(0, (coresWith(10) - coresWith(1)) / 9),
    digits: 3,
    unit: 'cores',
  })
  const watchingRows = watching.map(({ watchers, cores, kilobytesPerSecond }) => [
    String(watchers),
    cores.toFixed(2),
    kilobytesPerSecond.toFixed(0),
  ])
  const text = `### Typing and clicking on the console’s largest pages

${table(['place', 'p50 ms', 'p95 ms', 'longest ms', 'inputs'], rows)}

${table(['watchers', 'server, cores', 'kB/s to all'], watchingRows)}

${findingLines(findings)}
- From a key or a click to the end of the frame that was drawn after it, in Chromium with a screen of 1,280 × 860, a key every ${keyEveryMs} ms. The builder has a
  study of ${large.states} states and ${large.components.toLocaleString('en-GB')} components open; the monitor shows ${rooms} open rooms in which ${messagesPerSecond} messages a second are sent, and is pushed what changes. The
  browser, the server and everybody in the rooms share the machine. Where all questions come or go, 30 disappear with each key and the other 30 appear; where few do, 57 stay and 3 change places with 3 others. The time of a page’s thread is what Chromium counts for its tasks, at the best of the rounds: script, style, layout and paint. The second table is the server’s processor time with nobody, one and ten watching the same study.
`
  return { text, findings }
}

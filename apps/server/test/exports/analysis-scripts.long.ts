import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ExperimentPlots, exportedTables, plotRoutes } from '@atrium/contract'
import {
  createApi,
  createTemporaryFolder,
  describeInOneMode,
  findProgram,
  findPython,
  succeeded,
} from '@atrium/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { download } from './read-files.ts'
import { simulateExample } from './round-trip/simulated-study.ts'

const run = promisify(execFile)
const figures = ['completion', 'outcomes', 'states', 'response_times', 'waiting'] as const
type Figures = Record<(typeof figures)[number], Record<string, string>[]>

describeInOneMode('the scripts in an archive', (world) => {
  test.each([
    ['quick-survey', 'false'],
    ['public-goods', 'true'],
  ])('[D46] R and pandas load every table of %s and find what the console shows', async (example, bom) => {
    const { experimentId, token } = await simulateExample(world(), example, 8)
    const { http } = world().any()
    const folder = createTemporaryFolder('analysis')
    onTestFinished(folder.remove)
    const zip = join(folder.path, 'study.zip')
    writeFileSync(zip, await download({ http, token, experimentId, query: { bom } }, 'psych-ds'))
    const study = join(folder.path, 'study')
    execFileSync(findPython('pandas'), ['-m', 'zipfile', '-e', zip, study])
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    const inR = await run(findProgram('Rscript'), ['--vanilla', join(study, 'analysis', 'analysis.R')], {
      env,
    })
    const inPython = await run(findPython('pandas'), [join(study, 'analysis', 'analysis.py')])
    expect(inR.stdout).toBe(inPython.stdout)
    for (const table of exportedTables)
      expect(inPython.stdout).toMatch(new RegExp(`^${table}: \\d+ rows, \\d+ columns$`, 'm'))
    expect(await rowsSeenByDuckDb(study)).toEqual(rowsIn(inPython.stdout))
    expect(readdirSync(join(study, 'results', 'r'))).toContain('plots.pdf')
    const [ofR, ofPython] = ['r', 'python'].map((name) => figuresIn(join(study, 'results', name)))
    expect(sorted(ofR)).toEqual(sorted(ofPython))
    const plots = succeeded(await createApi(http).call(plotRoutes.read, { token, params: { experimentId } }))
    expectConsole(ofPython as Figures, plots)
  })
})

const figuresIn = (folder: string): Figures =>
  Object.fromEntries(
    figures.map((name) => [name, parse(readFileSync(join(folder, `${name}.csv`)), { columns: true })]),
  ) as Figures

/** Neither language keeps the other's order of what is equally frequent. */
const sorted = (found: Figures | undefined) =>
  Object.entries(found ?? {}).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).toSorted()])

/** Rows by table, as the scripts print them. */
const rowsIn = (printed: string): Record<string, number> =>
  Object.fromEntries(
    printed.split('\n').flatMap((line) => {
      const [, table, rows] = /^(\w+): (\d+) rows/.exec(line) ?? []
      return table === undefined ? [] : [[table, Number(rows)]]
    }),
  )

async function rowsSeenByDuckDb(study: string): Promise<Record<string, number>> {
  const manifest = JSON.parse(readFileSync(join(study, 'documentation', 'manifest.json'), 'utf8'))
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const counts: Record<string, number> = {}
  for (const { path, table } of manifest.files) {
    if (table === null || table === 'codebook') continue
    const from = `read_csv('${join(study, path)}', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')`
    const [row] = (await connection.runAndReadAll(`select count(*) as n from ${from}`)).getRowObjectsJson()
    counts[table] = Number(row?.n)
  }
  connection.closeSync()
  return counts
}

function expectConsole(found: Figures, plots: ExperimentPlots): void {
  const outcomes = plots.outcomes.map(({ outcome, people }) => `${outcome ?? ''} ${people}`)
  expect(found.outcomes.map(({ outcome, people }) => `${outcome} ${people}`).toSorted()).toEqual(
    outcomes.toSorted(),
  )
  const states = plots.states.map((one) => [one.stateId, one.entered, one.wentOn, one.stopped].join(' '))
  expect(
    found.states.map((one) => [one.state_id, one.entered, one.went_on, one.stopped].join(' ')).toSorted(),
  ).toEqual(states.toSorted())
  expect(plots.responseTimes.components.length).toBeGreaterThan(0)
  for (const { stateId, componentId, counts } of plots.responseTimes.components) {
    const rows = found.response_times.filter(
      ({ state_id, component_id }) => state_id === stateId && component_id === componentId,
    )
    expect(rows.map(({ count }) => Number(count))).toEqual(counts)
  }
  const total = (name: 'joined' | 'completed', rows: readonly Record<string, unknown>[]) =>
    rows.reduce((sum, row) => sum + Number(row[name]), 0)
  for (const name of ['joined', 'completed'] as const)
    expect(total(name, found.completion)).toBe(total(name, plots.completion.buckets))
  const waited = found.waiting.reduce((sum, { count }) => sum + Number(count), 0)
  expect(waited).toBe(plots.waiting.counts.reduce((sum, count) => sum + count, 0))
}

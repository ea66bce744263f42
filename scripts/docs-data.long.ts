// The snippets that read exports, in the shell, Python and R, on the data of a study that bots have played.
import { readFileSync } from 'node:fs'
import { playStudy, speedUp } from '@atrium/bots'
import { createApi, createResearcher, createTemporaryFolder, startServer } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import type { ExperimentDefinition, ExportedRow } from '../packages/contract/src/index.ts'
import { readPages } from './docs-blocks.ts'
import { environmentOf, runBlocks } from './docs-shell.ts'
import { pandasIn } from './test/docs-pages.ts'

const example = new URL('../examples/public-goods.json', import.meta.url)
const definition: ExperimentDefinition = JSON.parse(readFileSync(example, 'utf8'))
const page = 'docs/researchers.md'
/** What a reader has set by then is in the environment. */
const isAboutData = (text: string) => /\/export\?|python3 -|Rscript/.test(text) && !/PERSON|KEY/.test(text)

test('what they print follows from the data', async () => {
  const server = await startServer()
  onTestFinished(async () => void (await server.stop()))
  const researcher = await createResearcher(createApi(server.http))
  const experimentId = await researcher.openExperiment(speedUp(definition, 60))
  const options = { participants: 8, seed: 'docs', speed: 60, dropOutChance: 0, staggerMs: 10 }
  await playStudy({ ...options, baseUrl: server.http, experimentId })
  const folder = createTemporaryFolder('docs-data')
  onTestFinished(folder.remove)
  const blocks = readPages()
    .flatMap((one) => (one.name === page ? one.blocks : []))
    .filter(({ language, text }) => language === 'sh' && isAboutData(text))
  const known = environmentOf(server.http)
  const outputs = await runBlocks(blocks, folder.path, {
    ...known,
    PATH: `${pandasIn(folder.path)}:${known.PATH}`,
    ...{ ATRIUM: server.http, ID: experimentId, TOKEN: researcher.token },
  })
  const printedBy = (program: RegExp) =>
    blocks.filter(({ text }) => program.test(text)).map(({ line }) => outputs.get(line) ?? '')
  const path = `${server.http}/api/experiments/${experimentId}/export?table=participants`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${researcher.token}` } })
  const people: ExportedRow<'participants'>[] = (await answer.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(people).toHaveLength(8)

  const [plain = '', ...more] = printedBy(/import csv/)
  expect(more).toEqual([])
  expect(plain.trim().split('\n').toSorted()).toEqual(
    people.map(({ participantId, outcome }) => `${participantId} ${outcome}`).toSorted(),
  )
  const medians = [...Map.groupBy(people, ({ condition }) => condition ?? '')].map(
    ([condition, group]) =>
      [condition, median(group.map(({ durationMs }) => durationMs ?? Number.NaN))] as const,
  )
  for (const program of [/import pandas/, /Rscript/]) {
    const [printed = ''] = printedBy(program)
    for (const [condition, middle] of medians) {
      expect(printed).toContain(condition)
      expect(printed.match(/\d+(\.\d+)?/g)?.map(Number), printed).toContain(middle)
    }
  }
})

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

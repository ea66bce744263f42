import { readdirSync, readFileSync } from 'node:fs'
import { type ExperimentDefinition, speedUp } from '@atrium/contract'
import { createApi, createResearcher, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../bot-log.ts'
import { type Simulation, type SimulationOptions, simulate } from '../simulate.ts'
import { renderSummary } from '../summary.ts'

const folder = new URL('../../../../../examples/', import.meta.url)
export const examples: string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))

/**
 * Alone, with every kind of question, and in groups with agents. The others take longer, because people in them talk, bargain
 * or watch.
 */
export const quickExamples: readonly string[] = [
  'public-goods-with-agents',
  'quick-survey',
  'survey-kinds',
  'vignette-survey',
]

const example = (name: string): ExperimentDefinition =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

const speed = 60

type Play = (
  name: string,
  options?: Partial<SimulationOptions>,
  changed?: Partial<ExperimentDefinition>,
) => Promise<Simulation>

/** One embedded instance for all tests of a file, on which bots play examples. */
export function useInstance(): Play {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ env: { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '1000' } })
  })
  afterAll(() => server?.stop())

  return async (name, options = {}, changed = {}) => {
    const researcher = await createResearcher(createApi(server.http))
    const experimentId = await researcher.openExperiment({
      ...patiently(speedUp(example(name), speed)),
      ...changed,
    })
    const simulation = await simulate({
      baseUrl: server.http,
      experimentId,
      participants: 12,
      seed: '1',
      speed,
      dropOutChance: 0.1,
      staggerMs: 10,
      patienceMs: 60_000,
      ...options,
    })
    expect(brokenIn(simulation)).toEqual([])
    return simulation
  }
}

/** On a busy machine nobody is lost to a wait or a connection that only took longer. */
const patiently = ({ matching, dropout, ...rest }: ExperimentDefinition): ExperimentDefinition => ({
  ...rest,
  ...(matching && { matching: { ...matching, deadlineMs: 60_000 } }),
  ...(dropout && { dropout: { ...dropout, graceMs: 30_000 } }),
})

const brokenIn = ({ findings }: Simulation) => findings.filter(({ breaches }) => breaches.length > 0)

export const completedWith = ({ logs }: Simulation, outcome: string): number =>
  logs.filter((log) => eventsOf(log, 'completed').some((event) => event.outcome === outcome)).length

export function testExamples(play: Play, names: readonly string[]): void {
  test.each(names)('%s: twelve bots, and every invariant holds', async (name) => {
    const simulation = await play(name)
    expect(completedWith(simulation, 'SUCCESS')).toBeGreaterThan(0)
    expect(renderSummary(simulation)).toContain('invariants checked, all hold.')
  })
}

export function testCrowd(play: Play, participants: number): void {
  test(`${participants} bots play the public goods game in groups of four`, async () => {
    const simulation = await play('public-goods', { participants, seed: '7' })
    const dropouts = simulation.logs.filter((log) => eventsOf(log, 'away').length > 0).length
    expect(dropouts).toBeGreaterThan(0)
    expect(simulation.rooms.length).toBeGreaterThanOrEqual((participants - dropouts) / 4 - 1)
    expect(completedWith(simulation, 'SUCCESS')).toBeGreaterThanOrEqual(participants - 4 * dropouts)
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../bot-log.ts'
import { quicken } from './quicken.ts'
import { type Simulation, type SimulationOptions, simulate } from './simulate.ts'
import { renderSummary } from './summary.ts'

const folder = new URL('../../../../examples/', import.meta.url)
const examples = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

const example = (name: string): ExperimentDefinition =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

const speed = 60

describe('every example, and a crowd, on one embedded instance', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ env: { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '1000' } })
  })
  afterAll(() => server?.stop())

  async function play(
    name: string,
    options: Partial<SimulationOptions> = {},
    changed: Partial<ExperimentDefinition> = {},
  ): Promise<Simulation> {
    const researcher = await createResearcher(createApi(server.http))
    const experimentId = await researcher.openExperiment({ ...quicken(example(name), speed), ...changed })
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

  const brokenIn = ({ findings }: Simulation) => findings.filter(({ breaches }) => breaches.length > 0)

  const completedWith = ({ logs }: Simulation, outcome: string): number =>
    logs.filter((log) => eventsOf(log, 'completed').some((event) => event.outcome === outcome)).length

  test.each(examples)('%s: twelve bots, and every invariant holds', async (name) => {
    const simulation = await play(name)
    expect(completedWith(simulation, 'SUCCESS')).toBeGreaterThan(0)
    expect(renderSummary(simulation)).toContain('invariants checked, all hold.')
  })

  test('[R27] a film in a group plays for bots as it does for people, and stops where they rate it', async () => {
    const film = { id: 'film', type: 'video', src: '/film.mp4', durationMs: 900, waitForAllMs: 60_000 }
    const guided = { ...film, id: 'guided', controlledBy: 'guide', autoplay: false }
    const liking = { id: 'liking', type: 'sparse_rating', mediaId: 'film', atMs: [300] }
    const end = (componentId: string) => ({ end: { on: 'media_ended' as const, componentId } })
    const states = [
      { id: 'watch', components: [film, liking], ...end('film') },
      { id: 'follow', components: [guided], ...end('guided') },
    ]
    const roles = [{ id: 'guide', min: 1, max: 1 }, 'viewer']
    const more = { states, roles, globalComponents: [], matching: { groupSize: 3 } }
    const simulation = await play('film-ratings', { participants: 6, dropOutChance: 0 }, more)
    expect(completedWith(simulation, 'SUCCESS')).toBe(6)
    const started = simulation.exported.filter(
      ({ type, data }) => type === 'playback' && data.status === 'playing',
    )
    for (const id of ['film', 'guided'])
      expect(
        new Set(started.flatMap((row) => (row.componentId === id ? [row.participantId] : []))).size,
      ).toBe(6)
  })

  test('[R38] bots give the consent that a study asks for before they wait', async () => {
    const consent = { text: 'Your answers are stored without your name.', minReadMs: 60_000 }
    const options = { participants: 8, dropOutChance: 0 }
    const simulation = await play('public-goods', options, { consent })
    expect(completedWith(simulation, 'SUCCESS')).toBe(8)
    expect(simulation.exported.filter(({ type }) => type === 'consent_given')).toHaveLength(8)
  })

  test('200 bots play the public goods game in groups of four', async () => {
    // On a busy machine nobody is lost to a wait or a connection that only took longer.
    const { matching, dropout } = example('public-goods')
    const simulation = await play(
      'public-goods',
      { participants: 200, seed: '7' },
      {
        matching: { groupSize: 4, ...matching, deadlineMs: 30_000 },
        dropout: { policy: 'continue', ...dropout, graceMs: 30_000 },
      },
    )
    const dropouts = simulation.logs.filter((log) => eventsOf(log, 'away').length > 0).length
    expect(dropouts).toBeGreaterThan(0)
    expect(simulation.rooms.length).toBeGreaterThanOrEqual((200 - dropouts) / 4 - 1)
    expect(completedWith(simulation, 'SUCCESS')).toBeGreaterThanOrEqual(200 - 4 * dropouts)
  })

  test('the same seed gives the same answers, another seed different ones', async () => {
    const answersOf = async (seed: string) => {
      const { logs, exported } = await play('quick-survey', { participants: 4, seed, dropOutChance: 0 })
      return logs.map((log) => {
        const participantId = eventsOf(log, 'joined')[0]?.participantId
        return exported
          .filter((line) => line.participantId === participantId && line.type === 'component_response')
          .map(({ componentId, data }) => [componentId, data.value])
      })
    }
    const [once, again, other] = await Promise.all([answersOf('5'), answersOf('5'), answersOf('6')])
    expect(again).toEqual(once)
    expect(other).not.toEqual(once)
  })
})

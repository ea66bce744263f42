import { type Simulation, simulate } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { type BadLineOptions, createApi, createResearcher, startBadLine } from '@atrium/testkit'
import { expect } from 'vitest'

export interface BadLineStudy {
  /** The router, or an instance. */
  http: string
  line: BadLineOptions
  participants: number
  groupSize: number
  rounds: number
}

/** Questions, decisions and a chat, in a group that moves together; nobody is given up within two minutes. */
const groupStudy = ({ groupSize, rounds }: BadLineStudy): ExperimentDefinition => ({
  name: 'A group on bad lines',
  states: [
    { id: 'opinion', components: [{ id: 'words', type: 'text_response' }], end: { on: 'all_responded' } },
    {
      id: 'contribute',
      components: [{ id: 'contribution', type: 'slider', saveTo: 'given' }],
      end: { on: 'all_responded' },
      onEnd: { pot: 'sum(responses.contribution)' },
    },
    { id: 'feedback', components: [], end: { on: 'button' } },
  ],
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: { pot: 0, given: { scope: 'participant', initial: 0 } },
  matching: { groupSize, deadlineMs: 600_000 },
  dropout: { policy: 'end', graceMs: 120_000 },
})

/** Bots play the study over the line; the results are read beside it. Everyone must finish, with nothing lost or doubled. */
export async function playOverBadLine(study: BadLineStudy): Promise<Simulation> {
  const { http, participants } = study
  const researcher = await createResearcher(createApi(http))
  const experimentId = await researcher.openExperiment(groupStudy(study))
  const line = await startBadLine(http, study.line)
  try {
    const simulation = await simulate({
      baseUrl: line.http,
      resultsUrl: http,
      experimentId,
      participants,
      seed: study.line.seed,
      speed: 20,
      dropOutChance: 0,
      staggerMs: 20,
    })
    const tally = line.tally()
    console.log(`${Math.round(simulation.durationMs / 1_000)} s; ${JSON.stringify(tally)}`) // timing: only printed.
    expect(simulation.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([])
    const outcomes = simulation.logs.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'completed' ? [event.outcome] : [])),
    )
    expect(outcomes).toEqual(Array.from({ length: participants }, () => 'SUCCESS'))
    expect(tally.lost).toBeGreaterThan(0)
    return simulation
  } finally {
    await line.stop()
  }
}

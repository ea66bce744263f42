import { type Simulation, simulate } from '@atrium/bots'
import { type BadLineOptions, createApi, createResearcher, startBadLine } from '@atrium/testkit'
import { expect } from 'vitest'
import { groupStudy } from '../group-study.ts'

export interface BadLineStudy {
  /** The router, or an instance. */
  http: string
  line: BadLineOptions
  participants: number
  groupSize: number
  rounds: number
}

/** Bots play the study over the line; the results are read beside it. Everyone must finish, with nothing lost or doubled. */
export async function playOverBadLine(study: BadLineStudy): Promise<Simulation> {
  const { http, participants } = study
  const researcher = await createResearcher(createApi(http))
  const experimentId = await researcher.openExperiment(groupStudy({ name: 'A group on bad lines', ...study }))
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

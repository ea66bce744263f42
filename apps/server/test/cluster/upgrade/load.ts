import { readFileSync } from 'node:fs'
import { type BotLog, examineStudy, playStudy, type Simulation, speedUp } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher } from '@atrium/testkit'
import { groupStudy, patience } from '../../group-study.ts'

const groupSize = 4

const talk = groupStudy({ name: 'Talk and decide', groupSize, rounds: 6 })

/**
 * The example, whose states end by their own deadlines, too. With its own policy, `continue`, the others do not wait (RM41):
 * whoever reconnects because a router stopped, while the others end the last state, gets ABANDONED (RM96).
 */
function publicGoods(): ExperimentDefinition {
  const file = new URL('../../../../../examples/public-goods.json', import.meta.url)
  // The previous release does not know the texts for the home page yet.
  const {
    summary: _summary,
    minutes: _minutes,
    ...example
  }: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  return {
    ...speedUp(example, 4),
    matching: { ...example.matching, groupSize, deadlineMs: patience.deadlineMs },
    dropout: { policy: 'wait', graceMs: patience.graceMs },
  }
}

const botsPerWave = 12

/** What one study has led to, on however many instances. */
export type Played = Omit<Simulation, 'durationMs'>

/** Bots play two studies, one wave of them after the other, until `finish()`; then the last ones play to the end. */
export async function startLoad(http: string) {
  const researcher = await createResearcher(createApi(http))
  let isOver = false
  const experiments = [await researcher.openExperiment(talk), await researcher.openExperiment(publicGoods())]
  const playing = Promise.all(experiments.map(playOn))

  async function playOn(experimentId: string, lane: number): Promise<BotLog[]> {
    const logs: BotLog[] = []
    while (!isOver) {
      const seed = `${process.env.TEST_SEED ?? 7}/${lane}/${logs.length}`
      const wave = { baseUrl: http, experimentId, participants: botsPerWave, seed, staggerMs: 300 }
      logs.push(...(await playStudy({ ...wave, speed: 6, dropOutChance: 0 })))
    }
    return logs
  }

  return {
    /** Resolves when everyone is through, with what the instance at `resultsUrl` then reports. */
    async finish(startReader: () => Promise<string>): Promise<Played[]> {
      isOver = true
      const logs = await playing
      const resultsUrl = await startReader()
      return await Promise.all(
        experiments.map((experimentId, lane) => examineStudy(resultsUrl, experimentId, logs[lane] ?? [])),
      )
    },
  }
}

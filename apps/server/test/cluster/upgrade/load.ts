import { readFileSync } from 'node:fs'
import { type BotLog, examineStudy, playStudy, quicken, type Simulation } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher } from '@atrium/testkit'

/** Nobody is given up while their instance moves; only a failure ends a participation otherwise than with SUCCESS. */
const patient = { matching: { groupSize: 4, deadlineMs: 600_000 }, graceMs: 120_000 }

/** Decisions and a chat, in a group that moves together. */
const talk: ExperimentDefinition = {
  name: 'Talk and decide',
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
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds: 6 }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: { pot: 0, given: { scope: 'participant', initial: 0 } },
  matching: patient.matching,
  dropout: { policy: 'end', graceMs: patient.graceMs },
}

/**
 * The example, whose states end by their own deadlines, too. With its own policy, `continue`, the others do not wait (RM41):
 * whoever reconnects because a router stopped, while the others end the last state, gets ABANDONED (RM96).
 */
function publicGoods(): ExperimentDefinition {
  const file = new URL('../../../../../examples/public-goods.json', import.meta.url)
  const example: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  return {
    ...quicken(example, 4),
    matching: { ...example.matching, ...patient.matching },
    dropout: { policy: 'wait', graceMs: patient.graceMs },
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

import { readFileSync } from 'node:fs'
import { quicken, type Simulation, simulate } from '@atrium/bots'
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

/** The example, whose states end by their own deadlines, too. */
function publicGoods(): ExperimentDefinition {
  const file = new URL('../../../../../examples/public-goods.json', import.meta.url)
  const example: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  return {
    ...quicken(example, 4),
    matching: { ...example.matching, ...patient.matching },
    dropout: { policy: 'continue', graceMs: patient.graceMs },
  }
}

const botsPerWave = 12

/** Bots play two studies, one group of them after the other, until `finish()`; then the last ones play to the end. */
export async function startLoad(http: string) {
  const researcher = await createResearcher(createApi(http))
  let isOver = false
  const experiments = [
    await researcher.openExperiment(talk),
    await researcher.openExperiment(publicGoods()),
  ]
  const lanes = experiments.map(async (experimentId, lane) => {
    const waves: Simulation[] = []
    while (!isOver) {
      const seed = `${process.env.TEST_SEED ?? 7}/${lane}/${waves.length}`
      const wave = { baseUrl: http, experimentId, participants: botsPerWave, seed, staggerMs: 300 }
      waves.push(await simulate({ ...wave, speed: 6, dropOutChance: 0 }))
    }
    return waves
  })
  const playing = Promise.all(lanes)
  playing.catch(() => undefined) // `finish` rejects with it.
  return {
    experiments,
    async finish(): Promise<Simulation[]> {
      isOver = true
      return (await playing).flat()
    },
  }
}

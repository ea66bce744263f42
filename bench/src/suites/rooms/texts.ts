import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExperimentDefinition, roomRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  openRoomSocket,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import type { BenchOptions } from '../../options.ts'

export interface TextsResult {
  people: number
  values: number
  answers: number
  /** From sending everyone's answer to the last acknowledgement, divided by their number. */
  msPerAnswer: number
  /** Of the event loop, in CPU time. */
  longestTurnMs: number
}

const people = 50
const values = 10
const joinedAtOnce = 10
const preload = new URL('../../harness/loop-delay.mjs', import.meta.url).href

/** Everyone reads ten lists of what the others gave, so that each answer changes 49 pages. */
const study: ExperimentDefinition = {
  name: 'What the others gave',
  variables: { given: { scope: 'participant', initial: 0 } },
  states: [
    {
      id: 'give',
      instructions: Array.from({ length: values }, () => '{{others.given}}').join('\n\n'),
      components: [{ id: 'gift', type: 'slider', saveTo: 'given' }],
      end: { on: 'all_responded' },
    },
  ],
  blocks: [{ id: 'rounds', states: ['give'], rounds: 1_000 }],
  matching: { groupSize: people },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

/** A group of fifty on the real server, in which everybody answers at once, again and again. */
export async function benchTexts({ rounds }: BenchOptions): Promise<TextsResult> {
  const folder = createTemporaryFolder('loop-delay')
  const file = join(folder.path, 'longest')
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${preload}`, LOOP_DELAY_FILE: file } })
  const watched = (): { begun: number; longestMs: number } => JSON.parse(readFileSync(file, 'utf8'))
  const sockets: Awaited<ReturnType<typeof openRoomSocket>>[] = []
  try {
    sockets.push(...(await seatEveryone(server.http)))
    const answerAll = async (round: number): Promise<void> => {
      const answers = sockets.map((socket, at) =>
        socket.act('submit_response', { componentId: 'gift', value: (round * 7 + at) % 100 }),
      )
      for (const answer of await Promise.all(answers))
        if (!answer.ok) throw new Error(`an answer was refused: ${answer.error.code}`)
    }
    await answerAll(0) // Warm-up
    process.kill(server.pid, 'SIGUSR2')
    await waitUntil(() => watched().begun === 1 || 'the watch has not begun anew')
    const began = performance.now()
    for (let round = 1; round <= rounds; round++) await answerAll(round)
    const ms = performance.now() - began
    const answers = rounds * people
    return { people, values, answers, msPerAnswer: ms / answers, longestTurnMs: watched().longestMs }
  } finally {
    for (const socket of sockets) socket.close()
    await server.stop()
    folder.remove()
  }
}

async function seatEveryone(http: string) {
  const api = createApi(http)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment(study)
  const joined: Awaited<ReturnType<Awaited<ReturnType<typeof createPerson>>['join']>>[] = []
  while (joined.length < people)
    joined.push(
      ...(await Promise.all(
        Array.from({ length: joinedAtOnce }, async () => (await createPerson(api)).join(experimentId)),
      )),
    )
  const body = { participantIds: joined.map(({ participantId }) => participantId) }
  const options = { token: researcher.token, params: { experimentId }, body }
  const { roomId } = succeeded(await api.call(roomRoutes.create, options))
  const sockets: Awaited<ReturnType<typeof openRoomSocket>>[] = []
  for (const session of joined) sockets.push(await openRoomSocket(http, { ...session, roomId }))
  return sockets
}

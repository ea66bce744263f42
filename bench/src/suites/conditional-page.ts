import type { Component, ExperimentDefinition } from '@atrium/contract'
import {
  createApi,
  createPerson,
  type createResearcher,
  type openBrowser,
  openRoomSocket,
  type Server,
} from '@atrium/testkit'
import { cpuMicrosOf } from '../harness/measure.ts'

const questionsOnPage = 60
const questionsInRoom = 50
const peoplePerRound = 12

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>
type Researcher = Awaited<ReturnType<typeof createResearcher>>

const question = (number: number, when: string | undefined): Component => ({
  id: `q${number}`,
  type: 'slider',
  ...{ label: `Question ${number}` },
  ...(when !== undefined && { when }),
})

const written = 'length(answers.text) > 0'
const empty = `!(${written})`
const either = "answers.text != 'neither'"

/** R61: a text, and questions of which one in so many comes or goes with every letter of it. */
export const conditionalPage = (oneIn: number): ExperimentDefinition => ({
  name: 'Conditions',
  states: [
    {
      id: 'page',
      components: [
        { id: 'text', type: 'text_input', ...{ label: 'Anything' } },
        ...Array.from({ length: questionsOnPage }, (_, at) =>
          question(at, at % oneIn > 0 ? either : at % (2 * oneIn) === 0 ? written : empty),
        ),
      ],
    },
  ],
})

/** Checks in the first frame after each key whether a question that depends on it is there. As text, because it speaks of what only browsers have. */
export async function noteLateReactions(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.lateReactions = 0
    addEventListener('keydown', ({ target }) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        const isThere = document.querySelector('[data-component="q0"]') !== null
        if (isThere !== (target.value !== '')) lateReactions++
      }
      port2.postMessage(null)
    }), { capture: true })`)
  return async () =>
    await page.evaluate(() => (globalThis as unknown as { lateReactions: number }).lateReactions)
}

const roomOf = (isConditional: boolean): ExperimentDefinition => ({
  name: 'Questions',
  states: [
    {
      id: 'page',
      components: [
        { id: 'first', type: 'dropdown', ...{ options: ['yes', 'no'] } },
        ...Array.from({ length: questionsInRoom }, (_, at) =>
          question(at, isConditional ? "answers.first == 'yes'" : undefined),
        ),
      ],
    },
  ],
})

/** Processor time of the server for an answer, in microseconds, with and without conditions; lowest of all rounds. */
export interface AnswerCost {
  plain: number
  conditional: number
}

export async function measureAnswers(
  server: Server,
  researcher: Researcher,
  rounds: number,
): Promise<AnswerCost> {
  const [plain, conditional] = [
    await researcher.openExperiment(roomOf(false)),
    await researcher.openExperiment(roomOf(true)),
  ]
  const cost = { plain: Infinity, conditional: Infinity }
  // The first round of each warms the server up.
  for (let round = 0; round <= rounds; round++)
    for (const [name, experimentId] of [
      ['plain', plain],
      ['conditional', conditional],
    ] as const) {
      const microseconds = await answersIn(server, experimentId)
      if (round > 0) cost[name] = Math.min(cost[name], microseconds)
    }
  return cost
}

async function answersIn(server: Server, experimentId: string): Promise<number> {
  const api = createApi(() => server.http)
  const sockets = await Promise.all(
    Array.from({ length: peoplePerRound }, async () => {
      const person = await createPerson(api)
      return await openRoomSocket(server.http, await person.join(experimentId))
    }),
  )
  const answers = [
    { componentId: 'first', value: 'yes' },
    ...Array.from({ length: questionsInRoom }, (_, at) => ({ componentId: `q${at}`, value: 50 })),
  ]
  const before = cpuMicrosOf(server.pid)
  for (const answer of answers)
    await Promise.all(
      sockets.map(async (socket) => {
        const reply = await socket.act('submit_response', answer)
        if (!reply.ok) throw new Error(`refused: ${reply.error.message}`)
      }),
    )
  const microseconds = (cpuMicrosOf(server.pid) - before) / (answers.length * sockets.length)
  for (const socket of sockets) socket.close()
  return microseconds
}

import type { ChatRequest, Perception } from '@atrium/agent-protocol'
import {
  type Agent,
  type AgentTurnRecord,
  agentTurnRoutes,
  credentialRoutes,
  type ExperimentDefinition,
  type ExportedRow,
  experimentRoutes,
  participantRoutes,
} from '@atrium/contract'
import {
  linesOf,
  type StubModelServerOptions,
  type StubReply,
  startStubModelServer,
  succeeded,
  type World,
} from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { tableIn } from '../rooms/table.ts'

/** No time to think, so that stories are quick. */
export const quick = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 1_000 }

export const seller = (more: Partial<Agent>): Agent => ({
  id: 'robin',
  name: 'Robin',
  role: 'seller',
  seats: 1,
  instructions: 'Sell the bicycle for 110.',
  pacing: quick,
  ...more,
})

/** A person buys, an agent sells: they talk, then both name a price. */
export const bargaining = (
  agents: Agent[],
  more: Partial<ExperimentDefinition> = {},
): ExperimentDefinition => ({
  name: 'Bargaining',
  consent: { sendsTextToModels: true },
  roles: [
    { id: 'buyer', min: 1, max: 1 },
    { id: 'seller', min: 1, max: 1 },
  ],
  states: [
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    {
      id: 'price',
      components: [{ id: 'offer', type: 'slider', ...{ min: 0, max: 200 } }],
      end: { on: 'all_responded' },
    },
  ],
  agents,
  ...more,
})

/** What the platform asks the model to look at. */
export const perceptionIn = ({ messages }: ChatRequest): Perception =>
  JSON.parse(String(messages.at(-1)?.content)) as Perception

/** A reply that calls `respond`, as a faultless server sends it. */
export const calling = (args: unknown): StubReply => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'stub-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'respond', arguments: JSON.stringify(args) },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  },
})

/** A model that greets, continues and offers 110. */
export function sellingModel(request: ChatRequest): StubReply {
  const { state, events } = perceptionIn(request)
  if (state?.id === 'price') return calling({ action: { name: 'answer', answers: { offer: 110 } } })
  return calling({ action: { name: events.length > 1 ? 'continue' : 'wait' }, message: 'I ask for 110.' })
}

/** Researchers with model servers, and what their agents were asked. */
export function agentsIn(world: () => World) {
  const table = tableIn(world)
  return {
    table,
    /** A model server on loopback, and a credential for it. */
    async model(options: StubModelServerOptions, more: { timeoutMs?: number } = {}) {
      const server = await startStubModelServer(options)
      onTestFinished(() => server.stop())
      const { token } = await table.researcher()
      const { baseUrl, apiKey } = server
      const body = { name: 'stub', provider: 'Custom', model: 'stub-model', baseUrl, apiKey, ...more }
      const { credentialId } = succeeded(await table.api.call(credentialRoutes.create, { token, body }))
      return { server, credentialId }
    },
    async turns(experimentId: string): Promise<AgentTurnRecord[]> {
      const { token } = await table.researcher()
      const options = { token, params: { experimentId }, query: { format: 'jsonl' } }
      const response = await table.api.call(agentTurnRoutes.export, options)
      succeeded(response)
      return linesOf(response.text) as AgentTurnRecord[]
    },
    /** The table of responses. */
    async answers(experimentId: string): Promise<ExportedRow<'responses'>[]> {
      const { token } = await table.researcher()
      const options = { token, params: { experimentId }, query: { table: 'responses' } } as const
      const response = await table.api.call(experimentRoutes.export, options)
      succeeded(response)
      return linesOf(response.text) as ExportedRow<'responses'>[]
    },
    /** A person who has given consent and sits in a room with the agents. */
    async buyer(experimentId: string) {
      const joined = await table.join(experimentId)
      const events = [{ type: 'consent_given', timestamp: Date.now(), data: {} }]
      succeeded(await table.api.call(participantRoutes.eventsV4, { session: joined, body: { events } }))
      return { ...joined, socket: await table.connect(joined) }
    },
  }
}

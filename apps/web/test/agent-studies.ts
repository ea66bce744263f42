import { readFileSync } from 'node:fs'
import type { ChatRequest } from '@atrium/agent-protocol'
import type { ExperimentDefinition } from '@atrium/contract'
import { startStubModelServer } from '@atrium/testkit'

/** Fast enough for a test, which waits for what happens and not for how human it looks. */
const pacing = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 3_600_000 }

/** The example, with a model in the seller’s seat and a mediator who speaks when a researcher asks. Nothing is hurried. */
export function negotiation(credentialId: string): ExperimentDefinition {
  const file = new URL('../../../examples/negotiation-with-agent.json', import.meta.url)
  const definition: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  const unhurried = definition.states.map(({ end, ...state }) => {
    if (!end || end.on === 'timed') return state
    const { afterMs: _none, ...rest } = end
    return { ...state, end: rest }
  })
  return {
    ...definition,
    name: 'Selling a bicycle',
    consent: { text: 'A language model reads what you write.', sendsTextToModels: true },
    states: unhurried,
    agents: [
      {
        id: 'seller',
        name: 'Sam',
        credentialId,
        role: 'seller',
        seats: 1,
        instructions: 'You sell a used bicycle, and never go below 90.',
        price: { promptPerMillion: 3, replyPerMillion: 15 },
        pacing,
      },
      {
        id: 'host',
        name: 'Moderator',
        provider: 'Scripted',
        mediates: ['chat'],
        speaks: { on: 'demand' },
        script: [{ say: ['Please agree on a price soon.'] }],
        instructions: 'You help both to agree.',
        pacing,
      },
    ],
  }
}

/** A model server that passes the checks, and sells a bicycle for 100. While it is held, nothing is answered. */
export async function startSeller() {
  let held = Promise.withResolvers<void>()
  held.resolve()
  const server = await startStubModelServer({
    async onCompletion(request, answer) {
      await held.promise
      const reply = replyTo(request)
      if (!reply || typeof answer.body !== 'object') return answer
      return { ...answer, body: withArguments(answer.body, JSON.stringify(reply)) }
    },
  })
  return {
    ...server,
    hold() {
      held = Promise.withResolvers<void>()
    },
    release: () => held.resolve(),
  }
}

/** Undefined for what is no turn of an agent in a study: the checks of the server have a tool of their own. */
function replyTo({ messages, tools = [] }: ChatRequest): object | undefined {
  const properties = tools[0]?.function.parameters?.properties
  const content = messages.at(-1)?.content
  if (typeof content !== 'string' || !properties || !('action' in Object(properties))) return undefined
  const { state, events, actions } = JSON.parse(content)
  const has = (name: string) => actions.some((action: { name: string }) => action.name === name)
  if (state.id === 'price') return { action: { name: 'answer', answers: { offer: 100 } } }
  if (state.id !== 'talk') return { action: { name: has('continue') ? 'continue' : 'wait' } }
  const last = events.at(-1)
  if (last?.from !== 'P1') return { action: { name: 'wait' } }
  return {
    reasoning: 'It is worth 80 to me.',
    action: { name: /deal/i.test(last.content) ? 'continue' : 'wait' },
    message: `${last.content}? Let us say 100.`,
  }
}

const withArguments = (body: object, given: string): object =>
  JSON.parse(JSON.stringify(body), (name, value) => (name === 'arguments' ? given : value))

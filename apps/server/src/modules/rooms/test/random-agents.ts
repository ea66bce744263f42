import { drawAnswer } from '@atrium/agent-protocol'
import { type Agent, agentFallbacks, type Random } from '@atrium/contract'
import fc from 'fast-check'
import { movesOfMediator, movesOfSeat } from '../model/agent-moves.ts'
import { agentsIn, personaOf } from '../model/agents-in-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { AgentMove, RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { chats, randomRoles } from './random-definition.ts'

const role = fc.option(fc.constantFrom(...randomRoles), { nil: undefined })
const common = fc.record({
  fallback: fc.constantFrom(...agentFallbacks),
  pacing: fc.record({
    thinkMs: fc.nat(3_000),
    thinkSpreadMs: fc.nat(1_000),
    minMessages: fc.nat(2),
    maxReplies: fc.nat(3),
    lullMs: fc.integer({ min: 1_000, max: 5_000 }),
  }),
})
const seated = fc.record({ role, seats: fc.nat(2), fills: fc.boolean(), replaces: fc.boolean() })
const mediating = fc.record({
  mediates: fc.subarray(chats, { minLength: 1 }),
  speaks: fc.constantFrom<NonNullable<Agent['speaks']>>(
    { on: 'lull', afterMs: 2_000 },
    { on: 'every', messages: 2 },
    { on: 'keyword', words: ['HI'] },
    { on: 'demand' },
  ),
})

/**
 * Agents of a room, given as those of a pilot: then they meet every component, also those that they cannot answer and that
 * a definition with agents could not have.
 */
export const randomAgents: fc.Arbitrary<Agent[]> = fc
  .array(fc.tuple(common, fc.oneof({ weight: 3, arbitrary: seated }, { weight: 1, arbitrary: mediating })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((agents) =>
    agents.map(([general, place], index) => ({
      id: `persona${index}`,
      name: `Persona ${index}`,
      provider: 'Scripted',
      instructions: 'Play.',
      ...general,
      ...JSON.parse(JSON.stringify(place)),
    })),
  )

export const behaviours = ['reply', 'reply', 'fallback', 'wait', 'rubbish', 'late'] as const
export type Behaviour = (typeof behaviours)[number]

type AgentTurnAction = RoomAction<'agent_turn'>

/** What becomes of the pending turn of an agent; undefined when it has none. */
export function takenTurn(
  room: RoomState,
  blueprint: Blueprint,
  participantId: string,
  behaviour: Behaviour,
  random: Random,
): AgentTurnAction | undefined {
  const one = agentsIn(room).find((agent) => agent.participantId === participantId)
  if (!one?.agent.pending) return undefined
  const { turnId } = one.agent.pending
  const used = { calls: 1, tokens: 100, money: 0.25 }
  const seenMessages = Math.max(0, room.messageCount - Math.floor(random() * 2))
  const action = { type: 'agent_turn' as const, participantId, turnId, seenMessages, used, moves: [] }
  const fallback = personaOf(room, blueprint, one.agent)?.fallback ?? 'skip'
  const legal = 'here' in one ? movesOfSeat(room, blueprint, one) : movesOfMediator(room, blueprint, one)
  switch (behaviour) {
    case 'fallback':
      return { ...action, fallback }
    case 'wait':
      return legal.canWait ? { ...action, isWaiting: true } : { ...action, fallback }
    case 'rubbish':
      return { ...action, moves: [{ type: 'submit_response', componentId: 'nothing', value: 1 }] }
    case 'late':
      return { ...action, turnId: turnId.replace(/\d+$/, (number) => String(Number(number) - 1)) }
    case 'reply':
      return { ...action, ...legalReply(legal, random) }
  }
}

function legalReply(
  { answers, canContinue, canWait, chats }: ReturnType<typeof movesOfSeat>,
  random: Random,
) {
  const [chat] = chats
  const said: AgentMove[] =
    chat && random() < 0.5 ? [{ type: 'send_message', componentId: chat.componentId, text: 'hi there' }] : []
  if (canWait && random() < 0.3) return { moves: said, isWaiting: true as const }
  const given = answers
    .filter(({ isRequired }) => isRequired || random() < 0.7 || !canContinue)
    .map(
      ({ component }): AgentMove => ({
        type: 'submit_response',
        componentId: component.id,
        value: drawAnswer(component, random),
      }),
    )
  return { moves: [...said, ...given, ...(canContinue ? [{ type: 'ready' } as const] : [])] }
}

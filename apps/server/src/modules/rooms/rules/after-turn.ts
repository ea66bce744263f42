import type { AgentPart } from '../model/agent-part.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { Turn } from '../model/turn.ts'

const rememberedNotes = 20

/** The turn is over. Messages that came while the agent was thinking are planned for next. */
export function afterTurn(
  turn: Turn,
  agent: AgentPart,
  { moves, used, seenMessages, note, isWaiting }: RoomAction<'agent_turn'>,
): AgentPart {
  const { here } = agent
  const said = moves.filter(({ type }) => type === 'send_message').length
  return {
    ...agent,
    pending: null,
    seenMessages: Math.min(seenMessages, turn.room.messageCount),
    ...(note && { memory: [...(agent.memory ?? []).slice(1 - rememberedNotes), note] }),
    here: {
      ...here,
      turns: here.turns + 1,
      messages: here.messages + said,
      waits: isWaiting || moves.length === 0 ? here.waits + 1 : 0,
    },
    used: {
      calls: agent.used.calls + used.calls,
      tokens: agent.used.tokens + used.tokens,
      money: agent.used.money + used.money,
    },
  }
}

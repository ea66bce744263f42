import { chatsOf, longestMessageIn, movesOfMediator } from '../model/agent-moves.ts'
import type { Mediator } from '../model/agent-part.ts'
import type { AgentMove, RoomAction } from '../model/room-action.ts'
import { viewersOf } from '../model/room-audience.ts'
import { Refusal, record, type Turn } from '../model/turn.ts'
import { flowOf, stateOf } from '../model/visible-components.ts'
import { afterTurn } from './after-turn.ts'
import { postMessage } from './participation.ts'

/** A mediator speaks to everyone who sees the chat now. */
export function takeMediatorTurn(turn: Turn, mediator: Mediator, action: RoomAction<'agent_turn'>): void {
  const { room, blueprint } = turn
  const { chats } = movesOfMediator(room, blueprint, mediator)
  for (const move of action.moves) {
    if (move.type !== 'send_message' || !chats.some(({ componentId }) => componentId === move.componentId))
      throw new Refusal('ACTION_REFUSED', 'A mediator can only write in its chats.')
    speak(turn, mediator, move)
  }
  record(turn, mediator, 'agent_turn', {
    data: {
      turnId: action.turnId,
      agentId: mediator.agent.agentId,
      cause: mediator.agent.pending?.cause,
      ...(action.fallback && { fallback: action.fallback }),
    },
  })
  replaceMediator(turn, { ...mediator, agent: afterTurn(turn, mediator.agent, action) })
}

function speak(
  turn: Turn,
  mediator: Mediator,
  { componentId, text }: Extract<AgentMove, { type: 'send_message' }>,
): void {
  const { room, blueprint } = turn
  const chat = chatsOf(blueprint).find(
    (one) => one.component.id === componentId && viewersOf(room, blueprint, one).length > 0,
  )
  const [viewer] = chat ? viewersOf(room, blueprint, chat) : []
  const state = viewer && stateOf(blueprint, flowOf(room, viewer))
  const trimmed = text.trim()
  if (!chat || !state) throw new Refusal('ACTION_REFUSED', 'Nobody sees this chat now.')
  if (trimmed === '' || trimmed.length > longestMessageIn(chat))
    throw new Refusal('VALIDATION_FAILED', 'The message is empty or too long.')
  const message = postMessage(turn, mediator, chat, state, trimmed)
  record(turn, mediator, 'chat_message', {
    stateId: state.state.id,
    componentId,
    data: { messageId: message.messageId, text: trimmed },
  })
}

export function replaceMediator({ room }: Turn, changed: Mediator): void {
  room.mediators = (room.mediators ?? []).map((one) =>
    one.participantId === changed.participantId ? changed : one,
  )
}

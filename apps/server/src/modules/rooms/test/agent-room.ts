import type { Agent, ExperimentDefinition } from '@atrium/contract'
import { movesOfMediator, movesOfSeat } from '../model/agent-moves.ts'
import type { AgentPart, PendingTurn } from '../model/agent-part.ts'
import { agentsIn } from '../model/agents-in-room.ts'
import type { AgentMove, AgentTurn } from '../model/room-action.ts'
import { component, group, type PlayOptions, playRoom, type slider, state } from './played-room.ts'

export const chat = component('talk', 'chat')
/** An agent that acts exactly a second after it is planned to. */
export const thinkMs = 1_000
export const persona = (more: Partial<Agent> = {}): Agent => ({
  id: 'robo',
  name: 'Robin',
  provider: 'Scripted',
  instructions: 'Be kind.',
  ...more,
  pacing: { thinkMs, thinkSpreadMs: 0, ...more.pacing },
})

/** The participant id of the agent in the seat with this number. */
export const inSeat = (number: number): string => `agent_room_1_${number}`
/** The participant id of the first mediator. */
export const mediatorId = 'agent_room_1_m1'

export const answering = (componentId: string, value: unknown): AgentMove => ({
  type: 'submit_response',
  componentId,
  value,
})
export const saying = (text: string, componentId = chat.id): AgentMove => ({
  type: 'send_message',
  componentId,
  text,
})
export const continuing: AgentMove = { type: 'ready' }

/** Two people and an agent, which is asked nothing and may talk, unless overridden. */
export const withAgent = (
  agent: Partial<Agent> = {},
  components: (typeof slider)[] = [chat],
  more: Partial<ExperimentDefinition> = {},
): Partial<ExperimentDefinition> =>
  group([state('talk', { components }), state('after')], {
    agents: [persona({ seats: 1, ...agent })],
    ...more,
  })

/** A played room whose agents do what the test says, when they are due. */
export function playAgents(given: Partial<ExperimentDefinition> = withAgent(), options: PlayOptions = {}) {
  const room = playRoom(given, options)
  const part = (participantId: string): AgentPart | undefined =>
    agentsIn(room.room()).find((one) => one.participantId === participantId)?.agent
  const pending = (participantId: string): PendingTurn | null => part(participantId)?.pending ?? null
  const take = (participantId: string, moves: AgentMove[] = [], more: Partial<AgentTurn> = {}) =>
    room.dispatch({
      type: 'agent_turn',
      participantId,
      turnId: pending(participantId)?.turnId ?? 'none',
      seenMessages: room.room().messageCount,
      used: { calls: 1, tokens: 10, money: 0.5 },
      moves,
      ...more,
    })
  return {
    ...room,
    part,
    pending,
    /** Takes the pending turn at once. */
    take,
    /** Why it will be asked, and in how many milliseconds; null when it will not. */
    plan(participantId: string): [string, number] | null {
      const turn = pending(participantId)
      return turn && [turn.cause, turn.dueAt - room.now()]
    },
    /** Waits until the turn is due, then takes it. */
    act(participantId: string, moves: AgentMove[] = [], more: Partial<AgentTurn> = {}) {
      room.pass(Math.max(0, (pending(participantId)?.dueAt ?? 0) - room.now()))
      return take(participantId, moves, more)
    },
    moves(participantId: string) {
      const mediator = room.room().mediators?.find((one) => one.participantId === participantId)
      return mediator
        ? movesOfMediator(room.room(), room.blueprint, mediator)
        : movesOfSeat(room.room(), room.blueprint, room.seat(participantId))
    },
    prompt: (participantId: string, researcher?: string) =>
      room.dispatch({ type: 'prompt', participantId, by: 'researcher', ...(researcher && { researcher }) }),
    pause: () => room.dispatch({ type: 'pause', reason: '', by: 'researcher' }),
    resume: () => room.dispatch({ type: 'resume', by: 'researcher' }),
    said: () => room.room().messages.map(({ message }) => message.text),
  }
}

import { speaksOf } from '@atrium/contract'
import { messagesSince, movesOfMediator } from '../model/agent-moves.ts'
import { type AgentPart, isSkipped, type Mediator, newAgentVisit } from '../model/agent-part.ts'
import { personaOf } from '../model/agents-in-room.ts'
import type { RoomState, StoredMessage } from '../model/room-state.ts'
import type { Turn } from '../model/turn.ts'
import { delayMs, planned } from './planned-turn.ts'

/** R43: plans when mediators speak, each by its own rule. Nobody waits for them. */
export function planMediators(turn: Turn, before: RoomState): void {
  const { room } = turn
  if (!room.mediators) return
  const news = messagesSince(room, before.messageCount)
  room.mediators = room.mediators.map((mediator) => ({
    ...mediator,
    agent: planMediator(turn, mediator, news),
  }))
}

function planMediator(turn: Turn, mediator: Mediator, news: readonly StoredMessage[]): AgentPart {
  const { room, blueprint, now } = turn
  // Where everyone has their own pace, a mediator has no states of its own.
  const visit = room.flow?.visit ?? 1
  const persona = personaOf(room, blueprint, mediator.agent)
  const isNewVisit = mediator.agent.here.visit !== visit
  const agent = isNewVisit ? { ...mediator.agent, here: newAgentVisit(visit), pending: null } : mediator.agent
  const { chats } = movesOfMediator(room, blueprint, { ...mediator, agent })
  if (!persona || chats.length === 0 || isSkipped(agent, visit)) return { ...agent, pending: null }
  const rule = speaksOf(persona)
  const { pending } = agent
  // Asked for, or being asked already: what is written meanwhile is looked at afterwards.
  if (pending && (rule.on !== 'lull' || pending.cause === 'demand' || pending.dueAt <= now)) return agent

  const isHeard = ({ message }: StoredMessage): boolean =>
    !room.mediators?.some(({ alias }) => alias === message.from) &&
    chats.some(({ componentId }) => componentId === message.componentId)
  const unseen = messagesSince(room, agent.seenMessages).filter(isHeard)
  const soon = (): AgentPart =>
    planned(agent, mediator, 'message', now + delayMs(turn, mediator, agent, 'message'))
  switch (rule.on) {
    case 'lull': {
      // Silence counts from the last message of participants; a mediator does not fill the silence after its own.
      const isBroken = pending === null ? unseen.length > 0 : news.some(isHeard)
      return isNewVisit || isBroken ? planned(agent, mediator, 'lull', now + rule.afterMs) : agent
    }
    case 'every':
      return unseen.length >= rule.messages ? soon() : agent
    case 'keyword':
      return unseen.some(({ message }) => mentions(message.text, rule.words)) ? soon() : agent
    case 'demand':
      return agent
  }
}

function mentions(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.some((word) => lower.includes(word.toLowerCase()))
}

import type { Agent, AnswerSource } from '@atrium/contract'

/** Why an agent is asked. */
export type TurnCause = 'state' | 'message' | 'continue' | 'lull' | 'demand'

/** What an agent has to do next. It follows from the log, so that whoever holds the room knows it. */
export interface PendingTurn {
  /** Unique everywhere. A reply to any other turn is refused, so that none is applied twice. */
  turnId: string
  cause: TurnCause
  /** The model is asked from this time on. */
  dueAt: number
}

/** What an agent has done in one visit to a state. */
interface AgentVisit {
  visit: number
  turns: number
  messages: number
  /** Turns in a row in which it chose to wait; others who speak end the row. */
  waits: number
  /** It had no valid reply: nobody waits for it in this visit. */
  isSkipped?: true
  /** RM181: it was taken away from its turn, and is asked again once it is back. */
  isInterrupted?: true
}

export interface AgentUse {
  /** Calls of the model. */
  calls: number
  tokens: number
  money: number
}

/** The part of a room's state that makes an agent act, in a seat or as a mediator. */
export interface AgentPart {
  agentId: string
  pending: PendingTurn | null
  /** Number of turns planned so far. */
  planned: number
  here: AgentVisit
  used: AgentUse
  /** Number of messages in the room when it last looked. */
  seenMessages: number
  /** RM173: it is away, and will be there; absent once it is, and where agents are disclosed. */
  arrival?: Arrival
  /** RM174: moves of its last turn that are still to come; absent where there are none. */
  coming?: ComingMoves
  /** Its reasoning in the last turns, newest last; absent when it gave none. */
  memory?: readonly string[]
}

/** When a hidden agent comes: at `dueAt`, or sooner, once so many people are there. Null when it waits for nobody. */
interface Arrival {
  people: number | null
  dueAt: number
}

/** What an agent does, in this order, each as a person would do it. */
export type AgentMove =
  | { type: 'submit_response'; componentId: string; value: unknown }
  | { type: 'send_message'; componentId: string; text: string }
  | { type: 'ready' }

/** RM181: whoever leaves does so after what they do last. */
export type ComingMove = AgentMove | { type: 'leave' }

/** A person does one thing after the other. */
export interface ComingMoves {
  turnId: string
  source: AnswerSource | null
  /** Of the whole turn. */
  moves: readonly ComingMove[]
  /** When each of them happens. */
  at: readonly number[]
  /** The next one. */
  next: number
}

/** R43: an agent without a seat, which reads and speaks in chats. Nobody waits for it. */
export interface Mediator {
  participantId: string
  alias: string
  agent: AgentPart
}

export const newAgentPart = (agentId: string, seenMessages: number): AgentPart => ({
  agentId,
  pending: null,
  planned: 0,
  here: newAgentVisit(0),
  used: { calls: 0, tokens: 0, money: 0 },
  seenMessages,
})

export const newAgentVisit = (visit: number): AgentVisit => ({ visit, turns: 0, messages: 0, waits: 0 })

/** Its turn is over, whether it was being asked or had begun to act. What it was about to do is asked of it again. */
export function interrupted({ coming, pending, here, ...agent }: AgentPart): AgentPart {
  if (!coming && !pending) return { ...agent, here, pending }
  const { isSkipped, ...visit } = here
  const isStillSkipped = isSkipped && !coming
  const again: AgentVisit = { ...visit, ...(isStillSkipped && { isSkipped }), isInterrupted: true }
  return { ...agent, pending: null, here: again }
}

/** More turns than any conversation needs in one state. */
const maxTurnsPerVisit = 200

/** What the agent has done in this visit: nothing, if it has not acted since the state was entered. */
export const visitHere = ({ here }: AgentPart, visit: number): AgentVisit =>
  here.visit === visit ? here : newAgentVisit(visit)

/** Whether nobody waits for the agent in this visit: it had no valid reply, or has used up its turns. */
export function isSkipped(agent: AgentPart, visit: number): boolean {
  const { isSkipped = false, turns } = visitHere(agent, visit)
  return isSkipped || turns >= maxTurnsPerVisit
}

/** R43: the budget of a room is spent for this agent. */
export function isBudgetSpent(used: AgentUse, { budget = {} }: Pick<Agent, 'budget'>): boolean {
  const { turns = Infinity, tokens = Infinity, money = Infinity } = budget
  return used.calls >= turns || used.tokens >= tokens || used.money >= money
}

import type {
  Agent,
  ComponentView,
  ExperimentDefinition,
  MessageView,
  RoomSnapshot,
  SeatStatus,
  StateView,
} from '@atrium/contract'
import { jsonBytesOf } from '@atrium/contract'
import { cutText } from './agent-text.ts'
import type { AgentMoves } from './moves.ts'
import type { Perception } from './perception.ts'
import { agentActionsOf, longestReasoning } from './respond.ts'

/**
 * What participants fill is bounded, because every turn sends all of it to a model that reads perhaps 8,000 tokens. What
 * the researcher has written is not.
 */
const maxEvents = 100
const maxEventBytes = 65_536
const maxVariableBytes = 65_536
const maxResponseBytes = 65_536
const maxMemories = 20

interface Turn {
  definition: Pick<ExperimentDefinition, 'name'>
  agent: Agent
  turnId: string
  moves: AgentMoves
  /** The agent's reasoning in earlier turns, newest last. */
  memory: readonly string[]
}

/** What a person in the agent's seat would see, and no more. */
export function perceptionOf({ snapshot, ...turn }: Turn & { snapshot: RoomSnapshot }): Perception {
  const { self, state, globalComponents, others } = snapshot
  const variables = [...Object.entries(snapshot.variables), ...Object.entries(self.variables)]
  return {
    ...about(turn, snapshot.serverTime),
    experiment: { id: snapshot.experimentId, name: turn.definition.name, condition: snapshot.condition },
    self: {
      participantId: self.participantId,
      role: self.role,
      alias: self.alias,
      persona: turn.agent.name,
    },
    state: perceivedState(state),
    components: perceivedComponents(
      [...(state?.components ?? []), ...globalComponents],
      snapshot,
      turn.moves,
    ),
    ...perceivedVariables(variables),
    others: others.map(({ alias, role, status }) => ({ id: alias, alias, role, status })),
    ...perceivedEvents(snapshot.messages),
  }
}

/** What a room tells a mediator. It is filtered here, so it may hold more than the agent is allowed to see. */
export interface MediatedRoom {
  experimentId: string
  condition: string | null
  serverTime: number
  /** Of the mediator, in the record. */
  participantId: string
  /** The name under which it speaks. */
  alias: string
  /** Null where everyone is in a state of their own. */
  state: StateView | null
  participants: readonly {
    alias: string
    role: string
    status: SeatStatus
    variables: Readonly<Record<string, unknown>>
  }[]
  variables: Readonly<Record<string, unknown>>
  messages: readonly MessageView[]
}

/** R43: the messages of its chats, who is there, and the variables that `sees` allows. */
export function mediatorPerception({ room, ...turn }: Turn & { room: MediatedRoom }): Perception {
  const { mediates = [], sees = [], name } = turn.agent
  const isSeen = ([variable]: [string, unknown]) => sees.includes(variable)
  const seenIn = (variables: Readonly<Record<string, unknown>>) => Object.entries(variables).filter(isSeen)
  const heard = room.messages.filter(
    ({ componentId }) => componentId !== null && mediates.includes(componentId),
  )
  let bytesLeft = maxVariableBytes
  const ofParticipant = (variables: Readonly<Record<string, unknown>>) => {
    const { kept, bytes } = keepWithin(seenIn(variables), bytesLeft)
    bytesLeft -= bytes
    return Object.fromEntries(kept)
  }
  return {
    ...about(turn, room.serverTime),
    experiment: { id: room.experimentId, name: turn.definition.name, condition: room.condition },
    self: { participantId: room.participantId, role: null, alias: room.alias, persona: name },
    state: perceivedState(room.state),
    components: [],
    ...perceivedVariables(seenIn(room.variables)),
    others: room.participants.map(({ alias, role, status, variables }) => ({
      id: alias,
      alias,
      role,
      status,
      ...(sees.length > 0 && { variables: ofParticipant(variables) }),
    })),
    ...perceivedEvents(heard),
  }
}

/** R44: a refused reply is explained within the perception, which stays the last user message. */
export const withRetry = (perception: Perception, error: string): Perception => ({
  ...perception,
  retry: { error },
})

const about = ({ turnId, memory, moves }: Omit<Turn, 'definition'>, now: number) => ({
  v: 1 as const,
  turnId,
  now,
  memory: memory.slice(-maxMemories).map((text) => cutText(text, longestReasoning)),
  actions: agentActionsOf(moves),
})

function perceivedState(state: StateView | null): Perception['state'] {
  if (!state) return null
  const { id, name, instructions, deadlineAt, round, rounds } = state
  return { id, name, instructions, deadlineAt, round, rounds }
}

function perceivedComponents(
  components: readonly ComponentView[],
  { self: { responses, results } }: RoomSnapshot,
  { answers }: AgentMoves,
): Perception['components'] {
  const open = new Map(answers.map(({ component, isRequired }) => [component.id, isRequired]))
  const sent = new Map(keepWithin(Object.entries(responses), maxResponseBytes).kept)
  const evaluated = new Map(Object.entries(results))
  return components.map(({ id, type, ...settings }) => ({
    id,
    type,
    settings,
    answer: answerOf(open.get(id), Object.hasOwn(responses, id)),
    ...(sent.has(id) && { response: sent.get(id) }),
    ...(evaluated.has(id) && { result: evaluated.get(id) }),
  }))
}

/** A check with attempts left is open although it has been answered. */
function answerOf(isRequired: boolean | undefined, isAnswered: boolean) {
  if (isRequired !== undefined) return isRequired ? 'required' : 'optional'
  return isAnswered ? 'given' : 'none'
}

function perceivedVariables(entries: [string, unknown][]) {
  const { kept, leftOut } = keepWithin(entries, maxVariableBytes)
  return { variables: Object.fromEntries(kept), variablesLeftOut: leftOut }
}

/** The entries that fit within so many bytes, in their order; large ones are passed over. */
function keepWithin(entries: readonly [string, unknown][], maxBytes: number) {
  const kept: [string, unknown][] = []
  const leftOut: string[] = []
  let bytes = 0
  for (const [name, value] of entries) {
    const more = jsonBytesOf(name) + jsonBytesOf(value)
    if (bytes + more > maxBytes) leftOut.push(name)
    else {
      kept.push([name, value])
      bytes += more
    }
  }
  return { kept, leftOut, bytes }
}

function perceivedEvents(messages: readonly MessageView[]) {
  const newest = messages
    .slice(-maxEvents)
    .map(({ from, componentId, text, at }): Perception['events'][number] => ({
      at,
      from,
      type: componentId === null ? 'announcement' : 'message',
      chat: componentId,
      content: text,
    }))
  let bytes = 0
  const isTooMuch = (event: object): boolean => {
    bytes += jsonBytesOf(event)
    return bytes > maxEventBytes
  }
  const events = newest.slice(newest.findLastIndex(isTooMuch) + 1)
  return { events, eventsLeftOut: messages.length - events.length }
}

import type { AgentMoves } from '@atrium/agent-protocol'
import { pacingOf } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { type AgentPart, isSkipped, type Mediator, visitHere } from './agent-part.ts'
import { personaOf } from './agents-in-room.ts'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { hasReached, viewersOf } from './room-audience.ts'
import {
  entryOf,
  type FlowState,
  isActive,
  type RoomState,
  type Seat,
  type StoredMessage,
} from './room-state.ts'
import { createShownTo } from './shown.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { workFor } from './turn.ts'
import { flowOf, seesState, stateOf, visibleComponents } from './visible-components.ts'

/** After waiting this many times while nobody else spoke, it has to do something. */
const maxWaits = 3

const longestMessage = 4_000

const nothing: AgentMoves = { answers: [], canContinue: false, canWait: false, chats: [] }

/** R34: what the agent in this seat may do now, by the same rules that check what it does. */
export function movesOfSeat(room: RoomState, blueprint: Blueprint, seat: Seat): AgentMoves {
  const { agent } = seat
  const flow = flowOf(room, seat)
  const state = stateOf(blueprint, flow)
  if (!agent || !flow || !state || !isActive(seat) || room.status.kind === 'ended') return nothing
  const shown = createShownTo(room, blueprint, seat, workFor(0))
  const visible = visibleComponents(blueprint, seat, state).filter(shown.has)
  const answers = visible.flatMap((one) => {
    if (!isAnswerable(one) || entryOf(seat.here.answers, one.component.id)?.isFinal) return []
    if (one.isForEach) return [askedForEach(one, () => shown.settled(one))]
    const { responseSchema: schema, view: component, isRequired } = shown.settled(one)
    return schema ? [{ component, schema, isRequired }] : []
  })
  const { minMessages, maxReplies } = pacingOf(personaOf(room, blueprint, agent) ?? {})
  const { messages, waits } = visitHere(agent, flow.visit)
  const chats = messages < maxReplies ? chatsAmong(visible) : []
  const hasPatience = waits < maxWaits
  // An agent that does not write what it should must not keep the others waiting.
  const mustWrite = chats.length > 0 && messages < minMessages && hasPatience
  const endsWithButton = (state.state.end?.on ?? 'button') === 'button'
  const isStuck = visible.some((one) => one.isRequired && !isAnswerable(one) && !isBegun(seat, one))
  const canContinue = endsWithButton && seesState(seat, state) && !seat.here.ready && !mustWrite && !isStuck
  return {
    answers,
    canContinue,
    canWait: (answers.length === 0 && !canContinue) || (chats.length > 0 && hasPatience),
    chats,
  }
}

/**
 * RM196: whether there is something to answer is asked of every agent after every action; what is asked about each of the others
 * takes a hundred times as long to find, and is needed when it answers.
 */
function askedForEach(
  { isRequired }: ComponentBlueprint,
  find: () => ComponentBlueprint,
): AgentMoves['answers'][number] {
  let found: ComponentBlueprint | undefined
  const settled = (): ComponentBlueprint => {
    found ??= find()
    return found
  }
  return {
    isRequired,
    get component() {
      return settled().view
    },
    get schema() {
      return settled().responseSchema ?? {}
    },
  }
}

/** What a mediator may do: speak in those of its chats that somebody sees, or not. */
export function movesOfMediator(room: RoomState, blueprint: Blueprint, { agent }: Mediator): AgentMoves {
  const persona = personaOf(room, blueprint, agent)
  const mediated = persona?.mediates ?? []
  const mayWrite = agent.here.messages < pacingOf(persona ?? {}).maxReplies
  const chats = chatsOf(blueprint).filter(
    (one) => mediated.includes(one.component.id) && viewersOf(room, blueprint, one).length > 0,
  )
  return { ...nothing, canWait: true, chats: mayWrite ? chatsAmong(chats) : [] }
}

export const canActAtAll = ({ answers, canContinue, chats }: AgentMoves): boolean =>
  answers.length > 0 || canContinue || chats.length > 0

/** Whether the state may be waiting for something that the agent can still do. */
export function hasDuty(
  seat: Seat,
  { state }: StateBlueprint,
  { answers, canContinue }: AgentMoves,
): boolean {
  const endsByAnyAnswer = state.end?.on === 'any_responded' || state.end?.on === 'condition'
  const hasAnswered = Object.keys(seat.here.answers).length > 0
  return (
    canContinue ||
    answers.some(({ isRequired }) => isRequired) ||
    (endsByAnyAnswer && !hasAnswered && answers.length > 0)
  )
}

/** Whether it may want to say something, now or after a silence. */
export function mayTalk(room: RoomState, seat: Seat, agent: AgentPart, { chats }: AgentMoves): boolean {
  const { waits } = visitHere(agent, flowOf(room, seat)?.visit ?? 0)
  return chats.length > 0 && ((waits < maxWaits && !seat.here.ready) || hasNews(room, seat, agent))
}

/** Whether anything is still to be expected of the agent in this visit. */
export function mayStillAct(room: RoomState, blueprint: Blueprint, seat: Seat): boolean {
  const { agent } = seat
  const flow = flowOf(room, seat)
  const state = stateOf(blueprint, flow)
  if (!agent || !flow || !state || isSkipped(agent, flow.visit)) return false
  const moves = movesOfSeat(room, blueprint, seat)
  const isNew = visitHere(agent, flow.visit).turns === 0
  return (isNew && canActAtAll(moves)) || hasDuty(seat, state, moves) || mayTalk(room, seat, agent, moves)
}

/** RM181: whether the answers that it gives together have begun to come, and are not all there. */
export function isGivingAnswers(seat: Seat, { visit }: FlowState): boolean {
  const { coming, here } = seat.agent ?? {}
  if (!coming || here?.visit !== visit || !isActive(seat)) return false
  const { moves, next } = coming
  return moves[next - 1]?.type === 'submit_response' && moves[next]?.type === 'submit_response'
}

/** The messages that came after the first `count`, as far as the room still has them. */
export const messagesSince = (
  { messages, messageCount }: RoomState,
  count: number,
): readonly StoredMessage[] => (messageCount > count ? messages.slice(count - messageCount) : [])

/** Whether others have written since it last looked, in a chat that it saw. */
export const hasNews = (
  room: RoomState,
  { alias, participantId }: Seat,
  { seenMessages }: AgentPart,
): boolean =>
  messagesSince(room, seenMessages).some(
    (stored) =>
      stored.message.from !== alias &&
      stored.message.componentId !== null &&
      hasReached(stored, participantId),
  )

/** Every chat of the definition. States without one need not be compiled for that. */
export const chatsOf = ({ definition, states, globals }: Blueprint): ComponentBlueprint[] => {
  const withChats = definition.states.filter(({ components }) =>
    components.some(({ type }) => componentTypeOf(type).takesMessages),
  )
  const components = withChats.flatMap(({ id }) => states.get(id)?.components ?? [])
  return [...components, ...globals].filter(({ type }) => type.takesMessages)
}

export const longestMessageIn = ({ component }: ComponentBlueprint): number =>
  'maxLength' in component && typeof component.maxLength === 'number' ? component.maxLength : longestMessage

const isAnswerable = ({ type, component }: ComponentBlueprint): boolean =>
  type.responds === 'once' && type.agentsCannot === null && type.asks(component)

const isBegun = ({ here }: Seat, { component }: ComponentBlueprint): boolean =>
  entryOf(here.answers, component.id) !== undefined

const chatsAmong = (visible: readonly ComponentBlueprint[]): AgentMoves['chats'] =>
  visible
    .filter(({ type }) => type.takesMessages)
    .map((chat) => ({ componentId: chat.component.id, maxLength: longestMessageIn(chat) }))

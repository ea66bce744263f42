import {
  type ComponentView,
  type MessageView,
  type RoomEvent,
  type RoomSnapshot,
  type StateView,
  startOfTry,
} from '@atrium/contract'
import type { AgentPart } from './agent-part.ts'
import { personaOf } from './agents-in-room.ts'
import type { Blueprint } from './blueprint.ts'
import { componentsInOrder } from './component-order.ts'
import { conditionFor } from './condition-shown.ts'
import { crowdOf, isCrowd } from './crowd.ts'
import { perceives } from './network.ts'
import { roleNamesOf } from './role-names.ts'
import { hasReached } from './room-audience.ts'
import { entryOf, type FlowState, isOpen, type RoomState, type Seat } from './room-state.ts'
import { shownStatus } from './shown-status.ts'
import { createRoomTexts, type PageTexts, type RoomTexts } from './texts-in-room.ts'
import { latestEndFor, shownEndFor } from './time-limits.ts'
import { workForTexts } from './turn.ts'
import { visibleVariables } from './variables.ts'
import { flowOf, globalComponents, seesState, stateOf } from './visible-components.ts'

/** The state as one participant sees it; null before the first and after the last. */
function stateView(
  room: Pick<RoomState, 'seed'>,
  spoken: Blueprint,
  seat: Seat,
  flow: FlowState | null,
  texts: PageTexts,
): StateView | null {
  const step = flow?.steps[flow.position]
  const found = stateOf(spoken, flow)
  if (!flow || !step || !found) return null
  const { state } = found
  // R53: of a state of other roles, participants see only that it is open, and until when.
  const isWaiting = !seesState(seat, found)
  const shown = (text: string | undefined, format: 'plain' | 'markdown'): string | null =>
    isWaiting || text === undefined ? null : texts.text(text, format)
  return {
    id: state.id,
    name: shown(state.name, 'plain'),
    instructions: shown(state.instructions, 'markdown'),
    visit: flow.visit,
    round: step.round,
    rounds: step.rounds,
    enteredAt: flow.enteredAt,
    deadlineAt: latestEndFor(seat, flow),
    ...shownEndFor(spoken.limits, seat, flow),
    endsOn: state.end?.on ?? 'button',
    buttonLabel: state.end?.on === 'button' ? shown(state.end.label, 'plain') : null,
    components: componentsInOrder(room, seat, found, flow.visit).flatMap(texts.component),
    isWaiting,
  }
}

const globalsView = (
  spoken: Blueprint,
  seat: Seat,
  flow: FlowState | null,
  texts: PageTexts,
): ComponentView[] => globalComponents(spoken, seat, stateOf(spoken, flow)?.state.id).flatMap(texts.component)

export interface PageView {
  state: StateView
  globalComponents: ComponentView[]
}

/** What they see of the state that they are in, and its size; undefined where they are in none. */
export function pageFor(
  texts: RoomTexts,
  blueprint: Blueprint,
  seat: Seat,
  begun?: PageTexts,
): { view: PageView; characters: number } | undefined {
  const spoken = blueprint.inLanguage(seat.language)
  const flow = flowOf(texts.room, seat)
  const page = begun ?? texts.page(spoken, seat, flow)
  const state = stateView(texts.room, spoken, seat, flow, page)
  if (!state) return undefined
  const view = { state, globalComponents: globalsView(spoken, seat, flow, page) }
  const shown = globalComponents(spoken, seat, state.id)
  const written = shown.reduce((sum, one) => sum + one.characters, stateOf(spoken, flow)?.characters ?? 0)
  return { view, characters: written + page.characters() }
}

/** TR2: the step with which a try skips others is none of the study. */
function progressOf(flow: FlowState | null) {
  if (!flow) return { done: 0, of: 0 }
  const added = flow.steps[0]?.stateId === startOfTry ? 1 : 0
  return { done: Math.max(0, flow.position - added), of: flow.steps.length - added }
}

export function stateEnteredFor(texts: RoomTexts, blueprint: Blueprint, seat: Seat, flow: FlowState) {
  const spoken = blueprint.inLanguage(seat.language)
  const page = texts.page(spoken, seat, flow)
  const state = stateView(texts.room, spoken, seat, flow, page)
  if (!state) throw new Error(`room ${texts.room.roomId} entered a state that is not in its definition`)
  const globalComponents = globalsView(spoken, seat, flow, page)
  return {
    type: 'state_entered',
    state,
    globalComponents,
    progress: progressOf(flow),
    ...(seat.here.unread && { unread: seat.here.unread }),
  } as const satisfies Partial<RoomEvent>
}

/** R26: everything that a participant may see, and nothing else. */
export function snapshotFor(
  room: RoomState,
  blueprint: Blueprint,
  participantId: string,
  now: number,
): RoomSnapshot {
  const seat = room.seats.find((one) => one.participantId === participantId)
  if (!seat) throw new Error('a snapshot was requested for a participant who is not in the room')
  // RM98: the room goes on without them. Only a path of their own stands still; everything else is what others do.
  const isOut = !isOpen(seat)
  const flow = isOut ? seat.flow : flowOf(room, seat)
  const isOver = room.status.kind === 'ended' || isOut
  const spoken = blueprint.inLanguage(seat.language)
  const texts = createRoomTexts(room, workForTexts(room.seats.length)).page(spoken, seat, flow)
  const state = isOver ? null : stateView(room, spoken, seat, flow, texts)
  const variables = isOut ? { room: {}, self: {} } : visibleVariables(room, blueprint, seat)
  return {
    roomId: room.roomId,
    experimentId: room.experimentId,
    seq: room.seq,
    serverTime: now,
    status: room.status.kind,
    condition: conditionFor(room, blueprint, seat),
    self: { ...selfView(seat, variables.self), status: shownStatus(blueprint, seat) },
    ...(isOut ? { others: [] } : companyOf(room, spoken, seat)),
    state,
    globalComponents: isOver ? [] : globalsView(spoken, seat, flow, texts),
    variables: variables.room,
    messages: messagesFor(room, participantId),
    progress: progressOf(flow),
  }
}

/** R73: each of the others, or all of them in figures. */
const companyOf = (room: RoomState, spoken: Blueprint, seat: Seat): Pick<RoomSnapshot, 'others' | 'crowd'> =>
  isCrowd(room)
    ? { others: [], crowd: crowdOf(room, spoken.definition) }
    : { others: othersFor(room, spoken, seat) }

export const othersFor = (room: RoomState, spoken: Blueprint, seat: Seat): RoomSnapshot['others'] =>
  othersOf(room, seat).map((one) => otherView(room, spoken, one))

/** RM175: in a blended room, whoever was replaced has only been away. */
const othersOf = (room: RoomState, seat: Seat): Seat[] =>
  room.seats.filter(
    (one) => one !== seat && !(room.isBlended && one.replacedBy !== undefined) && perceives(room, seat, one),
  )

/** Takes a second at 1 Mbit/s. 200 long messages would be 2.4 MB, and slow readers would be disconnected. */
const maxBytesOfMessages = 131_072

/** RM63: the newest messages that reached them, as many as a slow line can carry, and always the last one. */
function messagesFor({ messages }: RoomState, participantId: string): MessageView[] {
  const theirs = messages.flatMap((stored) => (hasReached(stored, participantId) ? [stored.message] : []))
  let bytes = 0
  const isTooMuch = (message: MessageView): boolean => {
    bytes += Buffer.byteLength(JSON.stringify(message))
    return bytes > maxBytesOfMessages
  }
  return theirs.slice(Math.min(theirs.findLastIndex(isTooMuch) + 1, theirs.length - 1))
}

function selfView(seat: Seat, variables: Record<string, unknown>): RoomSnapshot['self'] {
  const answers = Object.entries(seat.here.answers)
  return {
    participantId: seat.participantId,
    alias: seat.alias,
    role: seat.role,
    status: seat.status,
    outcome: seat.outcome,
    ...(seat.nextStage !== undefined && { nextStage: seat.nextStage }),
    ready: seat.here.ready,
    responses: Object.fromEntries(answers.map(([id, answer]) => [id, answer.sent ?? answer.value])),
    results: Object.fromEntries(
      answers.flatMap(([id, answer]) => (answer.result ? [[id, answer.result]] : [])),
    ),
    variables,
    ...(seat.here.unread && { unread: seat.here.unread }),
  }
}

export function otherView(room: RoomState, blueprint: Blueprint, seat: Seat): RoomSnapshot['others'][number] {
  const agent = disclosedName(room, blueprint, seat.agent)
  return {
    alias: seat.alias,
    role: seat.role,
    ...roleNameOf(blueprint, seat),
    status: shownStatus(blueprint, seat),
    // Of whom is done, a page may still be open; an agent has none.
    presence: room.isBlended && !isOpen(seat) ? 'away' : seat.presence.kind,
    ready: seat.here.ready,
    ...(agent === undefined ? {} : { agent }),
  }
}

function roleNameOf(blueprint: Blueprint, { role }: Seat): { roleName?: string } {
  const name = entryOf(roleNamesOf(blueprint), role)
  return name === undefined ? {} : { roleName: name }
}

/** R43: what people are told about an agent; undefined for people, and where agents are hidden. */
export const disclosedName = (
  room: RoomState,
  blueprint: Blueprint,
  agent: AgentPart | undefined,
): string | undefined =>
  agent && blueprint.definition.disclosure?.agents !== 'hidden'
    ? personaOf(room, blueprint, agent)?.name
    : undefined

import type { Component, MessageView, RoomActionName, SyncActionName } from '@atrium/contract'
import { evaluateResponse, stopRated, targetsOf } from '@atrium/contract/components'
import type { Value } from '@atrium/expressions'
import { longestMessageIn } from '../model/agent-moves.ts'
import type { ComponentBlueprint } from '../model/component-blueprint.ts'
import { isAnswered, missingAnswer, whyUnanswerable } from '../model/missing-answer.ts'
import { perceives } from '../model/network.ts'
import type { ActionRules, RoomAction } from '../model/room-action.ts'
import { readersOf, viewersOf } from '../model/room-audience.ts'
import {
  entryOf,
  type FlowState,
  type RoomState,
  rememberedActions,
  rememberedMessages,
  type Seat,
} from '../model/room-state.ts'
import { createShownTo } from '../model/shown.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { emitAbout, emitToSeat, emitToSeats, Refusal, record, seatOf, type Turn } from '../model/turn.ts'
import { save } from '../model/variables.ts'
import { disclosedName } from '../model/view.ts'
import { flowOf, seesState, stateOf, visibleComponents } from '../model/visible-components.ts'
import { flagsOfTiming, momentOf, timingIn } from './answer-timing.ts'
import { endRoomIfOver, finishSeat } from './finish.ts'
import { vacate } from './presence.ts'

type ParticipantAction = RoomActionName | SyncActionName
type ParticipantRule<Name extends ParticipantAction> = (
  turn: Turn,
  seat: Seat,
  action: RoomAction<Name>,
) => void

/** What a participant may do. Refused actions change nothing; applied ones are remembered by their id. */
export const participantActions: ActionRules<RoomActionName> = {
  submit_response: byParticipant(respond),
  send_message: byParticipant(sendMessage),
  ready: byParticipant(ready),
  cannot_answer: byParticipant(cannotAnswer),
  leave: byParticipant(leave, { isAllowedWhilePaused: true }),
}

export function byParticipant<Name extends ParticipantAction>(
  apply: ParticipantRule<Name>,
  { isAllowedWhilePaused = false } = {},
): (turn: Turn, action: RoomAction<Name>) => void {
  return (turn, action) => {
    const { room } = turn
    const seat = seatOf(turn, action.participantId)
    if (room.status.kind === 'ended') throw new Refusal('ROOM_ENDED', 'The room has ended.')
    if (seat.status !== 'active')
      throw new Refusal('ROOM_ENDED', 'You are no longer taking part in this room.')
    if (room.status.kind === 'paused' && !isAllowedWhilePaused)
      throw new Refusal('ROOM_PAUSED', 'The room is paused.')
    apply(turn, seat, action)
    const { actionId } = action
    if (actionId !== undefined)
      seat.recent = [...seat.recent.slice(1 - rememberedActions), { actionId, seq: room.seq }]
  }
}

function leave(turn: Turn, seat: Seat, { reason }: RoomAction<'leave'>): void {
  vacate(turn, seat, 'left', 'ABANDONED', reason ?? null)
}

/** The state that a participant is in, and where they are on their path. */
interface Current {
  flow: FlowState
  blueprint: StateBlueprint
}

function currentOf(turn: Turn, seat: Seat): Current {
  const flow = flowOf(turn.room, seat)
  const blueprint = stateOf(turn.blueprint, flow)
  if (!flow || !blueprint) throw new Refusal('ROOM_ENDED', 'You are not in any state of this room.')
  if (flow.leaving)
    throw new Refusal('ACTION_REFUSED', 'This page is over; the next one will follow shortly.')
  return { flow, blueprint }
}

function refuseWrongState(
  { stateId, visit }: { stateId?: string; visit?: number },
  { blueprint, flow }: Current,
): void {
  if (
    (stateId !== undefined && stateId !== blueprint.state.id) ||
    (visit !== undefined && visit !== flow.visit)
  )
    throw new Refusal('ACTION_REFUSED', `The room has moved on to ‘${blueprint.state.id}’.`)
}

function respond(turn: Turn, seat: Seat, action: RoomAction<'submit_response'>): void {
  const current = currentOf(turn, seat)
  refuseWrongState(action, current)
  const shown = createShownTo(turn.room, turn.blueprint, seat, turn.work)
  const asked = visibleComponent(turn, seat, current, action.componentId, shown)
  const component = shown.answerable(asked, action.value)
  refuseStrangers(turn.room, component, action.value)
  const { id } = component.component
  const earlier = entryOf(seat.here.answers, id)
  if (earlier?.isFinal && component.type.responds === 'once')
    throw new Refusal('ACTION_REFUSED', 'This has already been answered.')
  const [issue] = component.issues(action.value)
  const isOfferedToOthers = asked.entryConditions.length > 0 && asked.liveSettings.length === 0
  if (issue && isOfferedToOthers && asked.issues(action.value).length === 0)
    throw new Refusal('NOT_SHOWN', `The response to ‘${id}’ has an option or row that is not shown.`)
  if (issue)
    throw new Refusal('VALIDATION_FAILED', `The response is invalid: ${issue.path} ${issue.message}.`)
  const attempts = (earlier?.attempts ?? 0) + 1
  const elapsedMs = turn.now - current.flow.enteredAt
  const evaluation = evaluateResponse(component.component, action.value, { elapsedMs, attempt: attempts })
  if (evaluation.kind === 'refused') throw new Refusal('VALIDATION_FAILED', evaluation.message)

  const value = (evaluation.recorded ?? action.value) as Value
  const result = evaluation.result ?? null
  seat.here = {
    ...seat.here,
    answers: {
      ...seat.here.answers,
      [id]: {
        ...{ value, isFinal: evaluation.isFinal, attempts, result },
        ...(result && { resultAt: turn.now }),
        ...(evaluation.recorded !== undefined && !component.isForEach && { sent: action.value as Value }),
        ...askedAbout(component.component),
      },
    },
  }
  seat.responses = { ...seat.responses, [id]: value }
  noteRatedStop(seat, component, value)
  recordResponse(turn, seat, current, component, { ...action, value }, evaluation.score ?? null, result)
  if (component.component.saveTo !== undefined) save(turn, seat, component.component.saveTo, value)
  // A stream of ratings is recorded only; announcing every sample would flood the room.
  if (component.type.responds === 'once')
    emitToSeats(turn, viewersOf(turn.room, turn.blueprint, component).filter(mayLearnOf(turn, seat)), {
      type: 'response_recorded',
      alias: seat.alias,
      componentId: id,
    })
  if (result) emitToSeat(turn, seat, { type: 'result', componentId: id, result })
  if (evaluation.outcome === undefined) return
  finishSeat(turn, seat, evaluation.outcome)
  emitAbout(turn, seat, { type: 'seat', alias: seat.alias, status: seat.status })
  endRoomIfOver(turn)
}

const mayLearnOf =
  ({ room }: Turn, seat: Seat) =>
  (one: Seat): boolean =>
    perceives(room, one, seat)

/** RM244: nobody waits for an answer that cannot be given, and the record says why there is none. */
function cannotAnswer(turn: Turn, seat: Seat, action: RoomAction<'cannot_answer'>): void {
  const current = currentOf(turn, seat)
  refuseWrongState(action, current)
  const { componentId, reason, actionId } = action
  const component = visibleComponent(turn, seat, current, componentId)
  if (!component.type.needsPictures)
    throw new Refusal('ACTION_REFUSED', `‘${componentId}’ can be answered without pictures.`)
  if (isAnswered(seat, component)) throw new Refusal('ACTION_REFUSED', 'This has already been answered.')
  if (whyUnanswerable(seat, component) !== undefined) return
  seat.here = { ...seat.here, unanswerable: { ...seat.here.unanswerable, [componentId]: reason } }
  record(turn, seat, 'cannot_answer', {
    stateId: current.blueprint.state.id,
    componentId,
    moment: momentOf(action, current.flow),
    data: { reason, visit: current.flow.visit, actionId },
  })
}

/** R62: an answer about somebody who is not in the room, who had left before the page began, or about themselves. */
function refuseStrangers({ seats }: RoomState, { component }: ComponentBlueprint, value: unknown): void {
  const targets = targetsOf(component)
  if (!targets || typeof value !== 'object' || value === null) return
  const stranger = Object.keys(value).find((name) => targets.every(({ alias }) => alias !== name))
  if (stranger === undefined) return
  const known = targets.map(({ alias }) => `‘${alias}’`).join(', ')
  const name = `‘${stranger.slice(0, 100)}’`
  const isGone = seats.some(({ alias, gone }) => alias === stranger && gone !== undefined)
  const why = isGone
    ? `${name} is not in the room any more, and nobody is asked about them here`
    : `‘${component.id}’ does not ask you about ${name}`
  throw new Refusal('VALIDATION_FAILED', `${why}; answer about ${known} alone.`)
}

/** Whom the component asks about, so that the record says about whom nothing was answered. */
function askedAbout(component: Component): { targets?: string[] } {
  const targets = targetsOf(component)
  return targets ? { targets: targets.map(({ alias }) => alias) } : {}
}

/** A medium that plays in step stops for ratings, and must know which were given. */
function noteRatedStop(seat: Seat, { component }: ComponentBlueprint, value: Value): void {
  const atMs = stopRated(component, value)
  const known = entryOf(seat.here.rated ?? {}, component.id) ?? []
  if (atMs === undefined || known.includes(atMs)) return
  seat.here = { ...seat.here, rated: { ...seat.here.rated, [component.id]: [...known, atMs] } }
}

function recordResponse(
  turn: Turn,
  seat: Seat,
  { blueprint, flow }: Current,
  { component }: ComponentBlueprint,
  action: RoomAction<'submit_response'>,
  score: number | null,
  result: Record<string, unknown> | null,
): void {
  record(turn, seat, 'component_response', {
    stateId: blueprint.state.id,
    componentId: action.componentId,
    moment: momentOf(action, flow),
    ...flagsOfTiming(action, turn.now - flow.enteredAt),
    data: {
      value: action.value,
      ...askedAbout(component),
      ...timingIn(action),
      visit: flow.visit,
      actionId: action.actionId,
      ...(turn.answerSource && { answerSource: turn.answerSource }),
      ...(score === null ? {} : { score }),
      ...(result === null ? {} : { result }),
    },
  })
}

function visibleComponent(
  turn: Turn,
  seat: Seat,
  current: Current,
  componentId: string,
  shown = createShownTo(turn.room, turn.blueprint, seat, turn.work),
): ComponentBlueprint {
  const visible = visibleComponents(turn.blueprint, seat, current.blueprint)
  const found = visible.find(({ component }) => component.id === componentId)
  if (!found) throw new Refusal('ACTION_REFUSED', `There is no component ‘${componentId}’ in this state.`)
  if (!shown.has(found)) throw new Refusal('NOT_SHOWN', `‘${componentId}’ is not shown to you now.`)
  return found
}

function sendMessage(turn: Turn, seat: Seat, action: RoomAction<'send_message'>): void {
  const current = currentOf(turn, seat)
  const componentId = action.componentId ?? onlyChat(turn, seat, current)
  const chat = visibleComponent(turn, seat, current, componentId)
  if (!chat.type.takesMessages) throw new Refusal('ACTION_REFUSED', `‘${componentId}’ is not a chat.`)
  const text = action.text.trim()
  if (text === '') throw new Refusal('VALIDATION_FAILED', 'The message is empty.')
  const longest = longestMessageIn(chat)
  if (text.length > longest)
    throw new Refusal('VALIDATION_FAILED', `A message can have at most ${longest} characters.`)
  const message = postMessage(turn, seat, chat, current.blueprint, text)
  record(turn, seat, 'chat_message', {
    stateId: current.blueprint.state.id,
    componentId,
    moment: momentOf(action, current.flow),
    data: { messageId: message.messageId, text, actionId: action.actionId },
  })
}

/** Puts a message into a chat and sends it to everyone who sees the chat now. */
export function postMessage(
  turn: Turn,
  author: Pick<Seat, 'participantId' | 'alias' | 'agent' | 'place'>,
  chat: ComponentBlueprint,
  state: StateBlueprint,
  text: string,
): MessageView {
  const { room, blueprint } = turn
  const readers = readersOf(room, blueprint, state, chat).filter(
    (one) => !isForNeighbours(chat, author) || perceives(room, one, author),
  )
  const listeners = new Set(viewersOf(room, blueprint, chat))
  const isForAll = readers.length === room.seats.length
  const isDisclosed = disclosedName(room, blueprint, author.agent) !== undefined
  const message = addMessage(turn, author.alias, chat.component.id, text, {
    to: isForAll ? null : readers.map(({ participantId }) => participantId),
    missedBy: readers.filter((reader) => !listeners.has(reader)),
    ...(isDisclosed && { isByAgent: true }),
    ...(room.isBlended && { by: author.participantId }),
  })
  if (isForAll) emitToSeats(turn, [...listeners], { type: 'message', message })
  else
    for (const reader of readers)
      emitToSeats(turn, listeners.has(reader) ? [reader] : [], { type: 'message', message })
  return message
}

/** RM248: a mediator has no place in a network and speaks to everyone. */
const isForNeighbours = ({ component }: ComponentBlueprint, { place }: Pick<Seat, 'place'>): boolean =>
  place !== undefined && 'audience' in component && component.audience === 'neighbours'

function onlyChat(turn: Turn, seat: Seat, current: Current): string {
  const visible = visibleComponents(turn.blueprint, seat, current.blueprint)
  const chats = visible.filter(({ type }) => type.takesMessages)
  const [chat] = chats
  if (!chat || chats.length > 1) throw new Refusal('ACTION_REFUSED', 'Specify which chat the message is for.')
  return chat.component.id
}

export function addMessage(
  turn: Turn,
  from: string,
  componentId: string | null,
  text: string,
  {
    to,
    missedBy,
    isByAgent,
    by,
  }: { to: readonly string[] | null; missedBy: readonly Seat[]; isByAgent?: true; by?: string },
): MessageView {
  const { room } = turn
  room.messageCount++
  const messageId = `m${room.messageCount}`
  const message = { messageId, from, componentId, text, at: turn.now, ...(isByAgent && { agent: true }) }
  const missed = missedBy.map(({ participantId }) => participantId)
  const stored = {
    message,
    to,
    ...(by !== undefined && { by }),
    ...(missed.length > 0 ? { missedBy: missed } : {}),
  }
  room.messages = [...room.messages.slice(1 - rememberedMessages), stored]
  return message
}

function ready(turn: Turn, seat: Seat, action: RoomAction<'ready'>): void {
  const { blueprint, flow } = currentOf(turn, seat)
  refuseWrongState(action, { blueprint, flow })
  if ((blueprint.state.end?.on ?? 'button') !== 'button')
    throw new Refusal('ACTION_REFUSED', 'This state does not end with a button.')
  if (!seesState(seat, blueprint)) throw new Refusal('ACTION_REFUSED', 'This state is for other roles.')
  const missing = missingAnswer(turn, seat, blueprint)
  if (missing) throw new Refusal('ACTION_REFUSED', `‘${missing.component.id}’ has not been answered yet.`)
  if (seat.here.ready) return
  seat.here = { ...seat.here, ready: true }
  record(turn, seat, 'ready', {
    stateId: blueprint.state.id,
    moment: momentOf(action, flow),
    data: { visit: flow.visit, actionId: action.actionId },
  })
  emitAbout(turn, seat, { type: 'ready', alias: seat.alias })
}

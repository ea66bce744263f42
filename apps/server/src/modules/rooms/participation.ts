import { evaluateResponse, type MessageView } from '@atrium/contract'
import type { Value } from '../flow/index.ts'
import type { ComponentBlueprint, StateBlueprint } from './blueprint.ts'
import { vacate } from './presence.ts'
import { endRoomIfOver, finishSeat, missingAnswer } from './progress.ts'
import type { ParticipantAction, RoomAction } from './room-action.ts'
import { whoMayRead, whoSees } from './room-audience.ts'
import { entryOf, type FlowState, rememberedActions, rememberedMessages, type Seat } from './room-state.ts'
import { Refusal, record, seatOf, type Turn, tellRoom, tellSeat, tellSeats } from './turn.ts'
import { save } from './variables.ts'
import { flowOf, seesState, stateOf, visibleComponents } from './visible-components.ts'

const longestMessage = 4_000

type ActionOf<Type extends RoomAction['type']> = Extract<RoomAction, { type: Type }>

/** What a participant does. Refused actions change nothing; applied ones are remembered by their id. */
export function participate(turn: Turn, action: ParticipantAction): void {
  const seat = seatOf(turn, action.participantId)
  if (turn.room.status.kind === 'ended') throw new Refusal('ROOM_ENDED', 'The room has ended.')
  if (seat.status !== 'active') throw new Refusal('ROOM_ENDED', 'You are no longer taking part in this room.')
  if (action.type === 'leave') vacate(turn, seat, 'left', 'ABANDONED', action.reason ?? null)
  else {
    if (turn.room.status.kind === 'paused') throw new Refusal('ROOM_PAUSED', 'The room is paused.')
    const place = placeOf(turn, seat)
    if (action.type === 'submit_response') respond(turn, seat, place, action)
    else if (action.type === 'send_message') say(turn, seat, place, action)
    else ready(turn, seat, place, action)
  }
  seat.recent = [
    ...seat.recent.slice(1 - rememberedActions),
    { actionId: action.actionId, seq: turn.room.seq },
  ]
}

interface Place {
  flow: FlowState
  blueprint: StateBlueprint
}

function placeOf(turn: Turn, seat: Seat): Place {
  const flow = flowOf(turn.room, seat)
  const blueprint = stateOf(turn.blueprint, flow)
  if (!flow || !blueprint) throw new Refusal('ROOM_ENDED', 'There is no state to act in.')
  return { flow, blueprint }
}

function refuseWrongState(
  { stateId, visit }: { stateId?: string; visit?: number },
  { blueprint, flow }: Place,
): void {
  if (
    (stateId !== undefined && stateId !== blueprint.state.id) ||
    (visit !== undefined && visit !== flow.visit)
  )
    throw new Refusal('ACTION_REFUSED', `The room has moved on to ‘${blueprint.state.id}’.`)
}

function respond(turn: Turn, seat: Seat, place: Place, action: ActionOf<'submit_response'>): void {
  refuseWrongState(action, place)
  const component = visibleComponent(turn, seat, place, action.componentId)
  const { id } = component.component
  const earlier = entryOf(seat.here.answers, id)
  if (earlier?.isFinal && component.type.responds === 'once')
    throw new Refusal('ACTION_REFUSED', 'This has been answered already.')
  const [issue] = component.issues(action.value)
  if (issue)
    throw new Refusal('VALIDATION_FAILED', `The response does not fit: ${issue.path} ${issue.message}.`)
  const attempts = (earlier?.attempts ?? 0) + 1
  const elapsedMs = turn.now - place.flow.enteredAt
  const evaluation = evaluateResponse(component.component, action.value, { elapsedMs, attempt: attempts })
  if (evaluation.kind === 'refused') throw new Refusal('VALIDATION_FAILED', evaluation.message)

  const value = action.value as Value
  const result = evaluation.result ?? null
  seat.here = {
    ...seat.here,
    answers: { ...seat.here.answers, [id]: { value, isFinal: evaluation.isFinal, attempts, result } },
  }
  seat.responses = { ...seat.responses, [id]: value }
  recordResponse(turn, seat, place, action, evaluation.score ?? null, result)
  if (component.component.saveTo !== undefined) save(turn, seat, component.component.saveTo, value)
  // A stream of ratings is for the record; announcing every sample would drown the room.
  if (component.type.responds === 'once')
    tellSeats(turn, whoSees(turn.room, turn.blueprint, component), {
      type: 'response_recorded',
      alias: seat.alias,
      componentId: id,
    })
  if (result) tellSeat(turn, seat, { type: 'result', componentId: id, result })
  if (evaluation.outcome === undefined) return
  finishSeat(turn, seat, evaluation.outcome)
  tellRoom(turn, { type: 'seat', alias: seat.alias, status: seat.status })
  endRoomIfOver(turn)
}

function recordResponse(
  turn: Turn,
  seat: Seat,
  { blueprint, flow }: Place,
  action: ActionOf<'submit_response'>,
  score: number | null,
  result: Record<string, unknown> | null,
): void {
  record(turn, seat, 'component_response', {
    stateId: blueprint.state.id,
    componentId: action.componentId,
    ...(action.clientTime === undefined ? {} : { timestamp: action.clientTime }),
    data: {
      value: action.value,
      ...(action.responseTime === undefined ? {} : { responseTime: action.responseTime }),
      visit: flow.visit,
      actionId: action.actionId,
      ...(score === null ? {} : { score }),
      ...(result === null ? {} : { result }),
    },
  })
}

function visibleComponent(turn: Turn, seat: Seat, place: Place, componentId: string): ComponentBlueprint {
  const visible = visibleComponents(turn.blueprint, seat, place.blueprint)
  const found = visible.find(({ component }) => component.id === componentId)
  if (!found)
    throw new Refusal('ACTION_REFUSED', `There is no component called ‘${componentId}’ in this state.`)
  return found
}

function say(turn: Turn, seat: Seat, place: Place, action: ActionOf<'send_message'>): void {
  const componentId = action.componentId ?? onlyChat(turn, seat, place)
  const chat = visibleComponent(turn, seat, place, componentId)
  const { component } = chat
  if (!chat.type.takesMessages) throw new Refusal('ACTION_REFUSED', `‘${componentId}’ is not a chat.`)
  const text = action.text.trim()
  if (text === '') throw new Refusal('VALIDATION_FAILED', 'A message needs a text.')
  const longest =
    'maxLength' in component && typeof component.maxLength === 'number' ? component.maxLength : longestMessage
  if (text.length > longest)
    throw new Refusal('VALIDATION_FAILED', `A message has at most ${longest} characters.`)
  const readers = whoMayRead(turn.room, turn.blueprint, place.blueprint, chat)
  const listeners = new Set(whoSees(turn.room, turn.blueprint, chat))
  const isForAll = readers.length === turn.room.seats.length
  const message = addMessage(turn, seat.alias, componentId, text, {
    to: isForAll ? null : readers.map(({ participantId }) => participantId),
    missedBy: readers.filter((reader) => !listeners.has(reader)),
  })
  record(turn, seat, 'chat_message', {
    stateId: place.blueprint.state.id,
    componentId,
    data: { messageId: message.messageId, text, actionId: action.actionId },
  })
  if (isForAll) tellSeats(turn, [...listeners], { type: 'message', message })
  else
    for (const reader of readers)
      tellSeats(turn, listeners.has(reader) ? [reader] : [], { type: 'message', message })
}

function onlyChat(turn: Turn, seat: Seat, place: Place): string {
  const visible = visibleComponents(turn.blueprint, seat, place.blueprint)
  const chats = visible.filter(({ type }) => type.takesMessages)
  const [chat] = chats
  if (!chat || chats.length > 1) throw new Refusal('ACTION_REFUSED', 'Say which chat the message is for.')
  return chat.component.id
}

export function addMessage(
  turn: Turn,
  from: string,
  componentId: string | null,
  text: string,
  { to, missedBy }: { to: readonly string[] | null; missedBy: readonly Seat[] },
): MessageView {
  const { room } = turn
  room.messageCount++
  const message = { messageId: `m${room.messageCount}`, from, componentId, text, at: turn.now }
  const missed = missedBy.map(({ participantId }) => participantId)
  const stored = { message, to, ...(missed.length > 0 ? { missedBy: missed } : {}) }
  room.messages = [...room.messages.slice(1 - rememberedMessages), stored]
  return message
}

function ready(turn: Turn, seat: Seat, place: Place, action: ActionOf<'ready'>): void {
  refuseWrongState(action, place)
  const { blueprint } = place
  if ((blueprint.state.end?.on ?? 'button') !== 'button')
    throw new Refusal('ACTION_REFUSED', 'This state does not end by a button.')
  if (!seesState(seat, blueprint)) throw new Refusal('ACTION_REFUSED', 'This state belongs to other roles.')
  const missing = missingAnswer(seat, blueprint)
  if (missing) throw new Refusal('ACTION_REFUSED', `‘${missing.component.id}’ has not been answered yet.`)
  if (seat.here.ready) return
  seat.here = { ...seat.here, ready: true }
  record(turn, seat, 'ready', {
    stateId: blueprint.state.id,
    data: { visit: place.flow.visit, actionId: action.actionId },
  })
  tellRoom(turn, { type: 'ready', alias: seat.alias })
}

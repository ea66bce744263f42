import type { RoomActionName, RoomActionPayload, RoomEvent, RoomSnapshot } from '@atrium/contract'
import { NotJoined, RoomClosed } from '../errors.ts'
import { newId } from '../ids.ts'
import { callSafely } from '../listeners.ts'
import type { Participant } from '../participant-api.ts'
import { isRecord } from '../records.ts'
import { isWaitingRoom, waitingRoomOf } from '../session.ts'
import { createPendingActions } from '../socket/pending-actions.ts'
import { type ConnectionStatus, createSessionConnection, isFinal } from '../socket/session-connection.ts'
import { applyRoomEvent, isIncludedIn, unchanged, withOwnResponse } from './apply-room-event.ts'

export interface RoomOptions {
  /** The session's room by default. */
  roomId?: string
  /** Called on every connect, before anything else. */
  onSnapshot?(snapshot: RoomSnapshot): void
  /** Called after `view` has been updated with it. */
  onEvent?(event: RoomEvent, view: RoomSnapshot): void
  onStatus?(status: ConnectionStatus): void
}

export interface ActionOptions {
  /** A new one by default. Choose your own to find the action in the export, or to repeat one that may have been stored. */
  actionId?: string
}

export interface VisitOptions extends ActionOptions {
  /** The visit that the participant saw; that of `view` by default. Refused once the room has moved on. */
  visit?: number
}

/** How long an answer took, as the page measured it. */
type AnswerTiming = Pick<
  RoomActionPayload<'submit_response'>,
  'responseTime' | 'firstInteractionMs' | 'changes'
>

/** Each action resolves with the room's `seq` once it is stored, or rejects with RoomRefused or RoomClosed. */
export interface Room {
  readonly view: RoomSnapshot | null
  readonly status: ConnectionStatus
  submitResponse(componentId: string, value: unknown, more?: VisitOptions & AnswerTiming): Promise<number>
  sendMessage(text: string, componentId?: string, more?: ActionOptions): Promise<number>
  ready(more?: VisitOptions): Promise<number>
  /** The pictures of a component did not load, and it cannot be answered without them: nobody waits for the answer any longer. */
  cannotAnswer(componentId: string, more?: VisitOptions): Promise<number>
  leave(reason?: string): Promise<number>
  /** Number of actions that the room has not acknowledged; included in the participant's `unsafe()`. */
  unsafe(): number
  /** Estimated from the last snapshot; off by the time that snapshot took to arrive. */
  serverNow(): number
  close(): void
}

/**
 * How the view changes once the participant's own action is acknowledged; everything else arrives as events. An action
 * without an entry does not compile.
 */
const acknowledgedRules: {
  [Name in RoomActionName]: (view: RoomSnapshot, payload: RoomActionPayload<Name>) => RoomSnapshot
} = {
  submit_response: withOwnResponse,
  send_message: unchanged,
  ready: unchanged,
  cannot_answer: unchanged,
  leave: unchanged,
}

/** Connects to the room and stays connected until the connection is closed, replaced or refused. */
export function connectRoom(participant: Participant, options: RoomOptions = {}): Room {
  const { clock, random, countUnsafe, ownClock, assignRoom } = participant.wiring
  let view: RoomSnapshot | null = null
  let serverAheadMs = 0
  // Events that arrive before the snapshot of their connection are included in it.
  let hasSnapshot = false

  function takeSnapshot(snapshot: unknown): void {
    if (!isRoomSnapshot(snapshot)) return
    view = snapshot
    hasSnapshot = true
    const heardAt = ownClock.steadyNow()
    serverAheadMs = snapshot.serverTime - heardAt
    ownClock.heard(connection.askedAt(), snapshot.serverTime, heardAt)
    callSafely(() => options.onSnapshot?.(snapshot))
  }

  function takeEvent(event: unknown): void {
    if (!hasSnapshot || !view || !isRoomEvent(event) || isIncludedIn(view, event)) return
    const next = applyRoomEvent(view, event)
    view = next
    if (event.type === 'stage_finished') assignRoom(waitingRoomOf(next.experimentId))
    callSafely(() => options.onEvent?.(event, next))
  }

  const connection = createSessionConnection({
    participant,
    namespace: '/experiment',
    query: { roomId: roomOf(participant, options) },
    greetings: { room_snapshot: takeSnapshot },
    messages: { room_event: takeEvent },
    onLost() {
      hasSnapshot = false
      actions.interrupt()
    },
    onStatus(status) {
      if (status.kind === 'connected') actions.resume()
      if (isFinal(status)) abandon(status)
      callSafely(() => options.onStatus?.(status))
    },
  })
  const actions = createPendingActions({
    clock,
    random,
    isConnected: connection.isConnected,
    emit: ({ name, payload }, acknowledge) => connection.socket.emit(name, payload, acknowledge),
    resultOf: ({ seq }) => (typeof seq === 'number' ? seq : undefined),
    onChange: () => unsafeCount.check(),
  })
  const unsafeCount = countUnsafe(actions.count)

  function abandon({ kind }: ConnectionStatus): void {
    actions.rejectAll(new RoomClosed(`The connection to the room has ended (${kind}).`))
    unsafeCount.remove()
  }

  async function act<Name extends RoomActionName>(
    name: Name,
    payload: RoomActionPayload<Name>,
    measured?: Partial<RoomActionPayload<Name>>,
  ): Promise<number> {
    const status = connection.status()
    if (isFinal(status)) throw new RoomClosed(`The connection to the room has ended (${status.kind}).`)
    const seq = await actions.add({ name, payload, ...(measured && { measured }) })
    if (view) view = acknowledgedRules[name](view, payload)
    return seq
  }

  /** By this device's clock, with what is known of it. */
  const when = () => ({ clientTime: clock.now(), ...ownClock.report() })
  const actionIdIn = ({ actionId = newId() }: ActionOptions = {}) => ({ actionId })

  /** The visit that the participant saw when they acted, so that a late repeat does not count for the next one. */
  const here = () => (view?.state ? { stateId: view.state.id, visit: view.state.visit } : {})

  connection.open()
  return {
    get view() {
      return view
    },
    get status() {
      return connection.status()
    },
    submitResponse: (componentId, value, { actionId = newId(), visit, responseTime, ...timing } = {}) =>
      act(
        'submit_response',
        {
          componentId,
          value,
          ...here(),
          ...(visit === undefined ? {} : { visit }),
          ...(responseTime === undefined ? {} : { responseTime }),
          actionId,
        },
        { ...when(), ...timing },
      ),
    sendMessage: (text, componentId, more) =>
      act(
        'send_message',
        { text, ...(componentId === undefined ? {} : { componentId }), ...actionIdIn(more) },
        when(),
      ),
    ready: ({ actionId = newId(), ...more } = {}) => act('ready', { ...here(), ...more, actionId }, when()),
    cannotAnswer: (componentId, { actionId = newId(), ...more } = {}) =>
      act('cannot_answer', { componentId, reason: 'not_loaded', ...here(), ...more, actionId }, when()),
    leave: (reason) => act('leave', { ...(reason === undefined ? {} : { reason }), ...actionIdIn() }),
    unsafe: actions.count,
    serverNow: () => ownClock.steadyNow() + serverAheadMs,
    close: connection.close,
  }
}

function roomOf({ session }: Participant, { roomId }: RoomOptions): string {
  if (!session) throw new NotJoined()
  const room = roomId ?? session.roomId
  if (isWaitingRoom(room)) throw new Error('There is no room yet: the group is still being matched.')
  return room
}

// Only what is needed to put a snapshot or event in order is checked. The rest is trusted, like the documented data of an
// HTTP response: an older page must cope with a newer server that sends more.

const isRoomSnapshot = (value: unknown): value is RoomSnapshot =>
  isRecord(value) &&
  Number.isInteger(value.seq) &&
  typeof value.serverTime === 'number' &&
  isRecord(value.self) &&
  Array.isArray(value.others)

const isRoomEvent = (value: unknown): value is RoomEvent =>
  isRecord(value) && Number.isInteger(value.seq) && typeof value.type === 'string'

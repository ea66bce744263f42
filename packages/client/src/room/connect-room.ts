import type {
  Leave,
  Ready,
  RoomActionName,
  RoomEvent,
  RoomSnapshot,
  SendMessage,
  SubmitResponse,
} from '@atrium/contract'
import { NotJoined, RoomClosed } from '../errors.ts'
import { newId } from '../ids.ts'
import { callSafely } from '../listeners.ts'
import type { Participant } from '../participant-api.ts'
import { isWaitingRoom } from '../session.ts'
import { type ConnectionStatus, isFinal } from '../socket/connection-status.ts'
import { createPendingActions } from '../socket/pending-actions.ts'
import { createSessionConnection } from '../socket/session-connection.ts'
import { applyRoomEvent, withOwnResponse } from './apply-room-event.ts'
import { isRoomEvent, isRoomSnapshot } from './room-messages.ts'

export interface RoomOptions {
  /** By default the room of the session. */
  roomId?: string
  /** On every connect, and first of all. */
  onSnapshot?(snapshot: RoomSnapshot): void
  /** After `view` has taken it in. */
  onEvent?(event: RoomEvent, view: RoomSnapshot): void
  onStatus?(status: ConnectionStatus): void
}

export interface ActionOptions {
  /** By default a new one. One's own can be found in the export, and repeats an action that may have been stored. */
  actionId?: string
}

/** Each action resolves with the room's `seq` once it is stored there; RoomRefused or RoomClosed otherwise. */
export interface Room {
  readonly view: RoomSnapshot | null
  readonly status: ConnectionStatus
  submitResponse(
    componentId: string,
    value: unknown,
    more?: ActionOptions & { responseTime?: number },
  ): Promise<number>
  sendMessage(text: string, componentId?: string, more?: ActionOptions): Promise<number>
  ready(more?: ActionOptions): Promise<number>
  leave(reason?: string): Promise<number>
  /** Actions that the room has not acknowledged; they count into the participant's `unsafe()`. */
  unsafe(): number
  /** Estimated from the last snapshot; off by the time that took to arrive. */
  serverNow(): number
  close(): void
}

type Payloads = { submit_response: SubmitResponse; send_message: SendMessage; ready: Ready; leave: Leave }

/** Connects to the room and stays connected until it is closed, replaced or refused. */
export function connectRoom(participant: Participant, options: RoomOptions = {}): Room {
  const { clock, random, countUnsafe } = participant.wiring
  let view: RoomSnapshot | null = null
  let serverAheadMs = 0
  // Events that come before the snapshot of their connection are in it.
  let hasSnapshot = false

  function takeSnapshot(snapshot: unknown): void {
    if (!isRoomSnapshot(snapshot)) return
    view = snapshot
    hasSnapshot = true
    serverAheadMs = snapshot.serverTime - clock.now()
    callSafely(() => options.onSnapshot?.(snapshot))
  }

  function takeEvent(event: unknown): void {
    if (!hasSnapshot || !view || !isRoomEvent(event) || event.seq <= view.seq) return
    const next = applyRoomEvent(view, event)
    view = next
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

  function act<Name extends RoomActionName>(
    name: Name,
    payload: Omit<Payloads[Name], 'actionId'>,
    { actionId = newId() }: ActionOptions = {},
  ): Promise<number> {
    const { kind } = connection.status()
    if (isFinal(connection.status()))
      return Promise.reject(new RoomClosed(`The connection to the room has ended (${kind}).`))
    return actions.add({ name, payload: { ...payload, actionId } })
  }

  /** The state that the participant saw when they acted: a late repetition must not count for the next one. */
  const here = () => (view?.state ? { stateId: view.state.id, visit: view.state.visit } : {})

  connection.open()
  return {
    get view() {
      return view
    },
    get status() {
      return connection.status()
    },
    async submitResponse(componentId, value, { responseTime, ...more } = {}) {
      const visit = view?.state?.visit
      const response = {
        componentId,
        value,
        clientTime: clock.now(),
        ...here(),
        ...(responseTime === undefined ? {} : { responseTime }),
      }
      const seq = await act('submit_response', response, more)
      if (view) view = withOwnResponse(view, { componentId, value, visit })
      return seq
    },
    sendMessage: (text, componentId, more) =>
      act('send_message', { text, ...(componentId === undefined ? {} : { componentId }) }, more),
    ready: (more) => act('ready', here(), more),
    leave: (reason) => act('leave', reason === undefined ? {} : { reason }),
    unsafe: actions.count,
    serverNow: () => clock.now() + serverAheadMs,
    close: connection.close,
  }
}

function roomOf({ session }: Participant, { roomId }: RoomOptions): string {
  if (!session) throw new NotJoined()
  const room = roomId ?? session.roomId
  if (isWaitingRoom(room)) throw new Error('There is no room yet: the group is still being matched.')
  return room
}

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
import { applyRoomEvent, withOwnResponse } from './apply-room-event.ts'
import { createPendingActions } from './pending-actions.ts'
import { createRoomConnection } from './room-connection.ts'
import { isRoomEvent, isRoomSnapshot } from './room-messages.ts'
import { isFinal, type RoomStatus } from './room-status.ts'

export interface RoomOptions {
  /** By default the room of the session. */
  roomId?: string
  /** On every connect, and first of all. */
  onSnapshot?(snapshot: RoomSnapshot): void
  /** After `view` has taken it in. */
  onEvent?(event: RoomEvent, view: RoomSnapshot): void
  onStatus?(status: RoomStatus): void
}

/** Each action resolves with the room's `seq` once it is stored there; RoomRefused or RoomClosed otherwise. */
export interface Room {
  readonly view: RoomSnapshot | null
  readonly status: RoomStatus
  submitResponse(componentId: string, value: unknown, more?: { responseTime?: number }): Promise<number>
  sendMessage(text: string, componentId?: string): Promise<number>
  ready(): Promise<number>
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

  const connection = createRoomConnection({
    ...{ participant, roomId: roomOf(participant, options) },
    onSnapshot(snapshot) {
      if (!isRoomSnapshot(snapshot)) return
      view = snapshot
      hasSnapshot = true
      serverAheadMs = snapshot.serverTime - clock.now()
      callSafely(() => options.onSnapshot?.(snapshot))
    },
    onEvent(event) {
      if (!hasSnapshot || !view || !isRoomEvent(event) || event.seq <= view.seq) return
      const next = applyRoomEvent(view, event)
      view = next
      callSafely(() => options.onEvent?.(event, next))
    },
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
    ...{ clock, random, isConnected: connection.isConnected },
    emit: ({ name, payload }, acknowledge) => connection.socket.emit(name, payload, acknowledge),
    onChange: () => unsafeCount.check(),
  })
  const unsafeCount = countUnsafe(actions.count)

  function abandon({ kind }: RoomStatus): void {
    actions.rejectAll(new RoomClosed(`The connection to the room has ended (${kind}).`))
    unsafeCount.remove()
  }

  function act<Name extends RoomActionName>(
    name: Name,
    payload: Omit<Payloads[Name], 'actionId'>,
  ): Promise<number> {
    const { kind } = connection.status()
    if (isFinal(connection.status()))
      return Promise.reject(new RoomClosed(`The connection to the room has ended (${kind}).`))
    return actions.add({ name, payload: { ...payload, actionId: newId() } })
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
    async submitResponse(componentId, value, { responseTime } = {}) {
      const visit = view?.state?.visit
      const seq = await act('submit_response', {
        ...{ componentId, value, clientTime: clock.now(), ...here() },
        ...(responseTime === undefined ? {} : { responseTime }),
      })
      if (view) view = withOwnResponse(view, { componentId, value, visit })
      return seq
    },
    sendMessage: (text, componentId) =>
      act('send_message', { text, ...(componentId === undefined ? {} : { componentId }) }),
    ready: () => act('ready', here()),
    leave: (reason) => act('leave', reason === undefined ? {} : { reason }),
    unsafe: actions.count,
    serverNow: () => clock.now() + serverAheadMs,
    close: connection.close,
  }
}

function roomOf({ session }: Participant, { roomId }: RoomOptions): string {
  if (!session) throw new NotJoined()
  const room = roomId ?? session.roomId
  if (room.startsWith('waiting_')) throw new Error('There is no room yet: the group is still being matched.')
  return room
}

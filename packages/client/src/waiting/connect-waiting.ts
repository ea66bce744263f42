import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { NotJoined, WaitingClosed } from '../errors.ts'
import { callSafely } from '../listeners.ts'
import type { Participant } from '../participant-api.ts'
import { isRecord } from '../records.ts'
import { createPendingActions } from '../socket/pending-actions.ts'
import { type ConnectionStatus, createSessionConnection, isFinal } from '../socket/session-connection.ts'

export interface WaitingOptions {
  /** Called on every connect, and whenever it changes. */
  onStatus?(status: WaitingStatus): void
  onAssigned?(assigned: RoomAssigned): void
  onEnded?(ended: WaitingEnded): void
  onConnection?(status: ConnectionStatus): void
}

export interface Waiting {
  readonly status: WaitingStatus | null
  readonly connection: ConnectionStatus
  /** Resolves with the room, which the session has from then on; rejects with WaitingClosed when there is none. */
  readonly assigned: Promise<RoomAssigned>
  /** Resolves once the server has accepted it. */
  leave(reason?: string): Promise<void>
  /** Disconnects without leaving; a participant who comes back soon keeps their position. */
  close(): void
}

/** Waits for a group, across network failures, restarts and lost sessions, until there is a room or the wait ends. */
export function connectWaiting(participant: Participant, options: WaitingOptions = {}): Waiting {
  if (!participant.session) throw new NotJoined()
  const { clock, random, assignRoom, noteCompleted } = participant.wiring
  const { promise: assigned, resolve, reject } = Promise.withResolvers<RoomAssigned>()
  // Callers that use the callbacks need not await it, and an unhandled rejection would end a program.
  assigned.catch(() => undefined)
  let status: WaitingStatus | null = null
  let hasLeft = false

  function takeStatus(news: unknown): void {
    if (!isWaitingStatus(news)) return
    status = news
    callSafely(() => options.onStatus?.(news))
  }

  function takeRoom(news: unknown): void {
    if (!isRoomAssigned(news)) return
    assignRoom(news.roomId)
    resolve(news)
    connection.close()
    callSafely(() => options.onAssigned?.(news))
  }

  function takeEnd(news: unknown): void {
    if (!isWaitingEnded(news)) return
    hasLeft = news.reason === 'left'
    if (typeof news.completionCode === 'string') noteCompleted()
    reject(new WaitingClosed(`The wait has ended (${news.reason}).`, news))
    connection.close()
    callSafely(() => options.onEnded?.(news))
  }

  const connection = createSessionConnection({
    participant,
    namespace: '/waiting',
    query: {},
    greetings: { waiting_status: takeStatus, room_assigned: takeRoom, waiting_ended: takeEnd },
    onLost: () => actions.interrupt(),
    onStatus(news) {
      if (news.kind === 'connected') actions.resume()
      if (isFinal(news)) giveUp(news)
      callSafely(() => options.onConnection?.(news))
    },
  })
  const actions = createPendingActions({
    clock,
    random,
    isConnected: connection.isConnected,
    onChange: () => undefined,
    emit: ({ name, payload }, acknowledge) => connection.socket.emit(name, payload, acknowledge),
    resultOf: () => true,
  })

  function giveUp(last: ConnectionStatus): void {
    const error = new WaitingClosed(whyOver(last))
    reject(error)
    actions.rejectAll(error)
  }

  connection.open()
  return {
    assigned,
    get status() {
      return status
    },
    get connection() {
      return connection.status()
    },
    async leave(reason) {
      if (isFinal(connection.status())) throw new WaitingClosed(whyOver(connection.status()))
      const payload = reason === undefined ? {} : { reason }
      await actions.add({ name: 'leave_waiting', payload }).catch((error: unknown) => {
        // `waiting_ended` may arrive before the acknowledgement, or on the next connection if the acknowledgement was lost.
        if (!hasLeft) throw error
      })
    },
    close: connection.close,
  }
}

const whyOver = (status: ConnectionStatus): string =>
  status.kind === 'failed'
    ? `The waiting room refused the connection: ${status.code} ${status.message}`
    : `The connection to the waiting room has ended (${status.kind}).`

// As with rooms: what we act on is checked, the rest is trusted.

const isWaitingStatus = (value: unknown): value is WaitingStatus =>
  isRecord(value) && typeof value.needed === 'number'

const isRoomAssigned = (value: unknown): value is RoomAssigned =>
  isRecord(value) && typeof value.roomId === 'string'

const isWaitingEnded = (value: unknown): value is WaitingEnded =>
  isRecord(value) && typeof value.reason === 'string'

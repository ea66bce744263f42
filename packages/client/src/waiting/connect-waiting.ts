import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { NotJoined, WaitingClosed } from '../errors.ts'
import { callSafely } from '../listeners.ts'
import type { Participant } from '../participant-api.ts'
import { type ConnectionStatus, isFinal } from '../socket/connection-status.ts'
import { createPendingActions } from '../socket/pending-actions.ts'
import { createSessionConnection } from '../socket/session-connection.ts'
import { isRoomAssigned, isWaitingEnded, isWaitingStatus } from './waiting-messages.ts'

export interface WaitingOptions {
  /** On every connect, and whenever it changes. */
  onStatus?(status: WaitingStatus): void
  onAssigned?(assigned: RoomAssigned): void
  onEnded?(ended: WaitingEnded): void
  onConnection?(status: ConnectionStatus): void
}

export interface Waiting {
  readonly status: WaitingStatus | null
  readonly connection: ConnectionStatus
  /** The room, which is the session's from then on; WaitingClosed when the wait ends without one. */
  readonly assigned: Promise<RoomAssigned>
  /** Resolves when the server has taken it. */
  leave(reason?: string): Promise<void>
  /** Goes without a word; who comes back soon keeps their place. */
  close(): void
}

/** Waits for a group, over broken connections, restarts and lost sessions, until there is a room or the wait ends. */
export function connectWaiting(participant: Participant, options: WaitingOptions = {}): Waiting {
  if (!participant.session) throw new NotJoined()
  const { clock, random, assignRoom, noteCompleted } = participant.wiring
  const { promise: assigned, resolve, reject } = Promise.withResolvers<RoomAssigned>()
  // Who listens by callbacks need not await it; unhandled, it would end a program.
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
        // The end may come before the acknowledgement, or on the next connection when that one was lost.
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

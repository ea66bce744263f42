import type { PlaybackState, SyncActionName, SyncActionPayload } from '@atrium/contract'
import { NotJoined, RoomClosed } from '../errors.ts'
import { newId } from '../ids.ts'
import { callSafely, createListeners } from '../listeners.ts'
import type { Participant } from '../participant-api.ts'
import { isRecord } from '../records.ts'
import { isWaitingRoom } from '../session.ts'
import { createPendingActions } from '../socket/pending-actions.ts'
import { type ConnectionStatus, createSessionConnection, isFinal } from '../socket/session-connection.ts'
import { type SteadyClock, steadyClock } from './steady-clock.ts'
import { createSyncedClock, type SyncedClock } from './synced-clock.ts'

export interface SyncOptions {
  /** The session's room by default. */
  roomId?: string
  onPlayback?(state: PlaybackState): void
  onStatus?(status: ConnectionStatus): void
  /** For tests. */
  steady?: SteadyClock
}

type About = 'actionId' | 'componentId'
export type PlaybackCommand = Omit<SyncActionPayload<'playback_command'>, About>
export type SyncReport = Omit<SyncActionPayload<'sync_report'>, About>

/** R27: the clock and the playback of a room. Each action resolves once the room has it, or rejects with RoomRefused or RoomClosed. */
export interface Sync {
  readonly status: ConnectionStatus
  readonly clock: SyncedClock
  readonly steady: SteadyClock
  /** The latest state of a medium that plays in step; undefined for any other. */
  playback(componentId: string): PlaybackState | undefined
  /** Called after every change of status or playback. */
  subscribe(listener: () => void): () => void
  /** Allowed to participants with the role in `controlledBy`. */
  command(componentId: string, command: PlaybackCommand): Promise<void>
  buffer(componentId: string, status: 'ready' | 'stalled'): Promise<void>
  /** Only while connected: how far off somebody was while the room was out of reach says nothing about it. */
  report(componentId: string, report: SyncReport): Promise<void>
  close(): void
}

/** Connects to `/sync` of the room, beside the room itself, and stays connected until closed, replaced or refused. */
export function connectSync(participant: Participant, options: SyncOptions = {}): Sync {
  const { steady = steadyClock } = options
  const states = new Map<string, PlaybackState>()
  const listeners = createListeners<void>()

  const connection = createSessionConnection({
    participant,
    namespace: '/sync',
    query: { roomId: roomOf(participant, options) },
    messages: { playback_state: takeState },
    onAdmitted: () => pings.start(),
    onLost() {
      pings.stop()
      for (const queue of queues) queue.interrupt()
    },
    onStatus(status) {
      if (status.kind === 'connected') for (const queue of queues) queue.resume()
      if (isFinal(status)) for (const queue of queues) queue.rejectAll(closedBy(status))
      callSafely(() => options.onStatus?.(status))
      listeners.notify()
    },
  })
  const { socket } = connection
  const pings = createSyncedClock({
    steady,
    ping: (t0, onPong) => {
      if (socket.connected) socket.emit('clock_ping', { t0 }, onPong)
    },
    onPong: connection.establish,
  })
  // Reports have their own queue, so that no command waits behind one. Neither counts as unsafe: they are about the moment.
  const queues = [createQueue(), createQueue()] as const
  const [actions, reports] = queues

  function createQueue() {
    const { clock, random } = participant.wiring
    return createPendingActions<true>({
      clock,
      random,
      isConnected: connection.isConnected,
      emit: ({ name, payload }, acknowledge) => socket.emit(name, payload, acknowledge),
      resultOf: () => true,
      onChange: () => undefined,
    })
  }

  function takeState(state: unknown): void {
    if (!isPlaybackState(state)) return
    states.set(state.componentId, state)
    callSafely(() => options.onPlayback?.(state))
    listeners.notify()
  }

  async function act<Name extends SyncActionName>(
    name: Name,
    payload: Omit<SyncActionPayload<Name>, 'actionId'>,
    queue = actions,
  ): Promise<void> {
    const status = connection.status()
    if (isFinal(status)) throw closedBy(status)
    await queue.add({ name, payload: { ...payload, actionId: newId() } })
  }

  connection.open()
  return {
    get status() {
      return connection.status()
    },
    clock: pings.clock,
    steady,
    playback: (componentId) => states.get(componentId),
    subscribe: listeners.add,
    command: (componentId, command) => act('playback_command', { componentId, ...command }),
    buffer: (componentId, status) => act('playback_buffer', { componentId, status }),
    async report(componentId, report) {
      if (connection.isConnected()) await act('sync_report', { componentId, ...report }, reports)
    },
    close: connection.close,
  }
}

const closedBy = ({ kind }: ConnectionStatus) =>
  new RoomClosed(`The connection to the room’s playback has ended (${kind}).`)

/** As with snapshots, only what the player needs is checked. */
const isPlaybackState = (value: unknown): value is PlaybackState =>
  isRecord(value) &&
  typeof value.componentId === 'string' &&
  typeof value.status === 'string' &&
  [value.positionMs, value.atServerTime, value.rate].every(Number.isFinite)

function roomOf({ session }: Participant, { roomId }: SyncOptions): string {
  if (!session) throw new NotJoined()
  const room = roomId ?? session.roomId
  if (isWaitingRoom(room)) throw new Error('There is no room yet: the group is still being matched.')
  return room
}

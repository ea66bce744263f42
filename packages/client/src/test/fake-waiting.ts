import type { ErrorCode, RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import type { FakePlatform } from './fake-platform.ts'
import { openFakeNamespace, openFakeSockets } from './fake-sockets.ts'

export const statusOf = (more: Partial<WaitingStatus> = {}): WaitingStatus => ({
  experimentId: 'x',
  waiting: 1,
  needed: 3,
  neededToStart: 3,
  position: 1,
  waitedMs: 0,
  deadlineAt: null,
  estimateMs: null,
  held: null,
  serverTime: 5_000_000,
  ...more,
})

export const assignedTo = (roomId: string): RoomAssigned => ({
  roomId,
  redirectUrl: `/experiment/${roomId}`,
})

export const endedBy = (reason: WaitingEnded['reason'], completionCode: string | null): WaitingEnded => ({
  reason,
  completionCode,
  redirectUrl: '',
})

type Greeting =
  | { name: 'waiting_status'; payload: WaitingStatus }
  | { name: 'room_assigned'; payload: RoomAssigned }
  | { name: 'waiting_ended'; payload: WaitingEnded }

/** What happens to the next `leave_waiting` instead of an acknowledgement. */
type LeaveMishap = 'lose_connection' | 'end_first' | { code: ErrorCode }

/** `/waiting` of the fake platform: like the real one, it sends the participant's status on every connect. */
export function startFakeWaiting(platform: FakePlatform, sockets = openFakeSockets(platform)) {
  const { namespace, ...fake } = openFakeNamespace(platform, sockets, '/waiting')
  const leaves: unknown[] = []
  const mishaps: LeaveMishap[] = []
  let greeting: Greeting = { name: 'waiting_status', payload: statusOf() }

  function handleLeave(payload: unknown, reply: (ack: object) => void): void {
    leaves.push(payload)
    const mishap = mishaps.shift()
    if (mishap === 'lose_connection') return void fake.cutConnection()
    if (typeof mishap === 'object')
      return void reply({ ok: false, error: { code: mishap.code, message: mishap.code } })
    if (mishap === 'end_first') return void fake.emitRaw('waiting_ended', endedBy('left', null))
    reply({ ok: true })
  }

  namespace.on('connection', (connected) => {
    connected.emit(greeting.name, greeting.payload)
    connected.on('leave_waiting', handleLeave)
  })

  return {
    ...fake,
    leaves,
    mishaps,
    /** Sent to everyone now, and to anyone who connects from now on. */
    say(next: Greeting): void {
      greeting = next
      fake.emitRaw(next.name, next.payload)
    },
  }
}

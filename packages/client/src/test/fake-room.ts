import type { ErrorCode, RoomAck, RoomActionName, RoomEvent, RoomSnapshot } from '@atrium/contract'
import { roomActions } from '@atrium/contract'
import type { FakePlatform } from './fake-platform.ts'
import { openFakeNamespace, openFakeSockets } from './fake-sockets.ts'

export const snapshotOf = (more: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  roomId: 'room_ann',
  experimentId: 'x',
  seq: 0,
  serverTime: 5_000_000,
  status: 'running',
  condition: null,
  self: {
    participantId: 'part_ann',
    alias: 'P1',
    role: 'participant',
    status: 'active',
    outcome: null,
    ready: false,
    responses: {},
    results: {},
    variables: {},
  },
  others: [{ alias: 'P2', role: 'participant', status: 'active', presence: 'connected', ready: false }],
  state: stateOf('s1', 1),
  globalComponents: [],
  variables: {},
  messages: [],
  progress: { done: 0, of: 3 },
  ...more,
})

export const stateOf = (id: string, visit: number): NonNullable<RoomSnapshot['state']> => ({
  id,
  visit,
  name: null,
  instructions: null,
  round: null,
  rounds: null,
  enteredAt: 0,
  deadlineAt: null,
  endsOn: 'button',
  buttonLabel: null,
  components: [],
  isWaiting: false,
})

export interface Received {
  name: RoomActionName
  payload: { actionId: string } & Record<string, unknown>
}

/** What the room does with the next action, instead of storing and acknowledging it. */
type RoomMishap = 'drop_reply' | 'lose_connection' | 'silence' | { code: ErrorCode }

/** `/experiment` on the same server as the fake platform, which misbehaves on request. */
export function startFakeRoom(platform: FakePlatform, sockets = openFakeSockets(platform)) {
  const { namespace, ...fake } = openFakeNamespace(platform, sockets, '/experiment')
  const received: Received[] = []
  const applied = new Map<string, number>()
  const mishaps: RoomMishap[] = []
  let snapshot = snapshotOf()
  let known: readonly string[] | undefined

  function handle(name: RoomActionName, payload: Received['payload'], reply: (ack: RoomAck) => void): void {
    received.push({ name, payload })
    const mishap = mishaps.shift()
    if (mishap === 'silence') return
    if (mishap === 'lose_connection') return void fake.cutConnection()
    if (typeof mishap === 'object')
      return void reply({ ok: false, error: { code: mishap.code, message: mishap.code } })
    if (known && Object.keys(payload).some((property) => !known?.includes(property)))
      return void reply({ ok: false, error: { code: 'VALIDATION_FAILED', message: 'unknown property' } })
    const seq = applied.get(payload.actionId) ?? snapshot.seq + 1
    if (!applied.has(payload.actionId)) snapshot = { ...snapshot, seq }
    applied.set(payload.actionId, seq)
    if (mishap === 'drop_reply') return void fake.cutConnection()
    reply({ ok: true, seq })
  }

  namespace.on('connection', (connected) => {
    connected.emit('room_snapshot', snapshot)
    for (const name of Object.keys(roomActions) as RoomActionName[])
      connected.on(name, (payload, reply) => handle(name, payload, reply))
  })

  return {
    ...fake,
    received,
    applied,
    mishaps,
    /** As an earlier release, which refuses every other property. */
    knowOnly(properties: readonly string[]): void {
      known = properties
    },
    setSnapshot(next: RoomSnapshot): void {
      snapshot = next
    },
    emit: (event: RoomEvent) => fake.emitRaw('room_event', event),
  }
}

import { randomUUID } from 'node:crypto'
import type { RoomAck, RoomActionName, RoomEvent, RoomSnapshot } from '@atrium/contract'
import { openCheckedSocket, type SocketSession } from './checked-socket.ts'
import { waitUntil } from './wait.ts'

export type RoomSocket = Awaited<ReturnType<typeof openRoomSocket>>

/** A bare socket in a room, so that stories see exactly what is on the wire. */
export async function openRoomSocket(address: string, session: SocketSession, userAgent = 'atrium-test/1.0') {
  const received: RoomEvent[] = []
  const others: { name: string; payload: unknown }[] = []
  let snapshot: RoomSnapshot | undefined
  const { roomId } = session
  const { socket, admitted, refuseFaults, act } = openCheckedSocket(address, {
    path: '/experiment',
    session,
    roomId,
    userAgent,
  })
  socket.on('room_snapshot', (payload: unknown) => {
    snapshot = payload as RoomSnapshot
  })
  socket.on('room_event', (payload: unknown) => {
    received.push(payload as RoomEvent)
  })
  socket.onAny((name: string, payload: unknown) => others.push({ name, payload }))
  await admitted('room_snapshot')

  return {
    events: received,
    /** Everything received, by name, including what is neither snapshot nor event. */
    received: others,
    snapshot: (): RoomSnapshot => {
      refuseFaults()
      if (!snapshot) throw new Error('there is no snapshot yet')
      return snapshot
    },
    isConnected: (): boolean => socket.connected,
    /** Resolves with the acknowledgement. Pass an `actionId` to repeat an action. */
    act: (name: RoomActionName, payload: Record<string, unknown> = {}): Promise<RoomAck> =>
      act(name, { actionId: randomUUID(), ...payload }, 240_000),
    /** The first event since the start that fits; waits for it if necessary. */
    async event<Type extends RoomEvent['type']>(
      type: Type,
      fits: (event: Extract<RoomEvent, { type: Type }>) => boolean = () => true,
    ): Promise<Extract<RoomEvent, { type: Type }>> {
      const find = () =>
        received.find((one) => one.type === type && fits(one as Extract<RoomEvent, { type: Type }>))
      await waitUntil(
        () => find() !== undefined || `no ${type} among ${received.map((one) => one.type).join(', ')}`,
      )
      refuseFaults()
      return find() as Extract<RoomEvent, { type: Type }>
    },
    close: (): void => void socket.close(),
  }
}

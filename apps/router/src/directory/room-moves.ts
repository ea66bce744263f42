import type { Redis } from 'ioredis'
import { Type } from 'typebox'
import { parseJson } from './parse.ts'

/** Pods publish here when they take over a room. */
const channel = 'atrium:bus:room_moved'
const RoomMoved = Type.Object({ roomId: Type.String() })

/** A message may be lost; the room is then looked up again within a second. */
export function subscribeToRoomMoves(subscriber: Redis, onMoved: (roomId: string) => void): void {
  subscriber.on('message', (_channel, text) => {
    const moved = parseJson(RoomMoved, text)
    if (moved) onMoved(moved.roomId)
  })
  // ioredis subscribes again after a reconnect, but only to what succeeded once.
  const subscribe = () => void subscriber.subscribe(channel).catch(() => undefined)
  if (subscriber.status === 'ready') subscribe()
  subscriber.on('ready', subscribe)
}

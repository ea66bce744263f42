import type { Redis } from 'ioredis'
import { Type } from 'typebox'
import { parseAs } from './parse.ts'

/** What pods say to each other, and to us, when a room is taken over. */
const channel = 'atrium:bus:room_moved'
const RoomMoved = Type.Object({ roomId: Type.String() })

/** A message may be lost; then the room is looked up again within a second. */
export function hearMoves(subscriber: Redis, onMoved: (roomId: string) => void): void {
  subscriber.on('message', (_channel, text) => {
    const moved = parseAs(RoomMoved, text)
    if (moved) onMoved(moved.roomId)
  })
  // ioredis subscribes again by itself after a reconnect, but only to what succeeded once.
  const subscribe = () => void subscriber.subscribe(channel).catch(() => undefined)
  if (subscriber.status === 'ready') subscribe()
  subscriber.on('ready', subscribe)
}

import { busChannel, busMessages } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import { parseJson } from './parse.ts'

/** A message may be lost; the room is then looked up again within a second. */
export function subscribeToRoomMoves(subscriber: Redis, onMoved: (roomId: string) => void): void {
  subscriber.on('message', (_channel, text) => {
    const moved = parseJson(busMessages.room_moved, text)
    if (moved) onMoved(moved.roomId)
  })
  // ioredis subscribes again by itself after a reconnect, but only to what succeeded once.
  const subscribe = () => void subscriber.subscribe(busChannel('room_moved')).catch(() => undefined)
  if (subscriber.status === 'ready') subscribe()
  subscriber.on('ready', subscribe)
}

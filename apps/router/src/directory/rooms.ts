import { busChannel, busMessages, keys, RoomAssignment } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Lookup } from '../metrics.ts'
import { parseJson } from './parse.ts'
import { readWithRetry } from './read-with-retry.ts'

export type RoomLocation =
  | { kind: 'pod'; podId: string }
  | { kind: 'unassigned' }
  /** Redis is down and the room is not cached. */
  | { kind: 'unknown' }

export type Rooms = ReturnType<typeof createRooms>

interface RoomsDeps {
  get(key: string): Promise<string | null>
  isRedisUp(): boolean
  now(): number
  count(lookup: Lookup): void
  cacheMs: number
  /** Waits between two attempts to read a room of which nothing is known. */
  wait?(ms: number): Promise<void>
}

const maxCachedRooms = 20_000

/**
 * Which instance has a room. A result is cached for less than a second, and for as long as Redis is down: rooms rarely move,
 * and an instance that no longer has a room says so. That a room has no instance is never cached, because it may get one at any
 * moment.
 */
export function createRooms({ get, isRedisUp, now, count, cacheMs, wait }: RoomsDeps) {
  const cache = new LRUCache<string, { location: RoomLocation; readAt: number }>({ max: maxCachedRooms })
  const reading = new Map<string, Promise<RoomLocation>>()

  function cachedOrUnknown(roomId: string): RoomLocation {
    count('error')
    return cache.get(roomId)?.location ?? { kind: 'unknown' }
  }

  async function readLocation(roomId: string): Promise<RoomLocation> {
    const assignment = parseJson(RoomAssignment, await get(keys.roomPod(roomId)))
    count(assignment ? 'redis' : 'missing')
    return assignment ? { kind: 'pod', podId: assignment.podId } : { kind: 'unassigned' }
  }

  /** Concurrent lookups of one room share one read. */
  function readOnce(roomId: string): Promise<RoomLocation> {
    const readAt = now()
    // If the room was forgotten in the meantime, the result may be from before its move and is not cached.
    const isCurrent = () => reading.get(roomId) === read && reading.delete(roomId)
    const isKnown = cache.has(roomId)
    const read: Promise<RoomLocation> = (
      isKnown ? readLocation(roomId) : readWithRetry(() => readLocation(roomId), wait)
    ).then(
      (location) => {
        if (isCurrent()) store(roomId, location, readAt)
        return location
      },
      () => {
        isCurrent()
        return cachedOrUnknown(roomId) // The connection logs that Redis is down.
      },
    )
    reading.set(roomId, read)
    return read
  }

  function store(roomId: string, location: RoomLocation, readAt: number): void {
    if (location.kind === 'pod') cache.set(roomId, { location, readAt })
    else cache.delete(roomId)
  }

  return {
    find(roomId: string): RoomLocation | Promise<RoomLocation> {
      const last = cache.get(roomId)
      const pending = reading.get(roomId)
      if (pending || (last && now() - last.readAt < cacheMs)) {
        count('cache')
        return pending ?? (last as { location: RoomLocation }).location
      }
      return isRedisUp() || !last ? readOnce(roomId) : cachedOrUnknown(roomId)
    },
    /** For a room that has moved. */
    forget(roomId: string): void {
      cache.delete(roomId)
      reading.delete(roomId)
    },
  }
}

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

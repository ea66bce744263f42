import { keys, RoomAssignment } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import type { Lookup } from '../metrics.ts'
import { parseAs } from './parse.ts'

export type RoomFound =
  | { kind: 'pod'; podId: string }
  | { kind: 'unassigned' }
  /** Redis is away, and nothing is remembered of this room. */
  | { kind: 'unknown' }

export type Rooms = ReturnType<typeof createRooms>

interface RoomsParts {
  read(key: string): Promise<string | null>
  isRedisUp(): boolean
  now(): number
  count(lookup: Lookup): void
  freshMs: number
}

const mostRooms = 20_000

/**
 * Which pod has a room. An answer is believed for less than a second, and for as long as Redis is away: rooms rarely
 * move, and a pod that no longer has one says so. That a room has no pod is never remembered: it may get one at the
 * next moment.
 */
export function createRooms({ read, isRedisUp, now, count, freshMs }: RoomsParts) {
  const known = new LRUCache<string, { found: RoomFound; readAt: number }>({ max: mostRooms })
  const underWay = new Map<string, Promise<RoomFound>>()

  function remembered(roomId: string): RoomFound {
    count('error')
    return known.get(roomId)?.found ?? { kind: 'unknown' }
  }

  async function ask(roomId: string): Promise<RoomFound> {
    const assignment = parseAs(RoomAssignment, await read(keys.roomPod(roomId)))
    count(assignment ? 'redis' : 'missing')
    return assignment ? { kind: 'pod', podId: assignment.podId } : { kind: 'unassigned' }
  }

  /** Those who ask for one room at once share one question. */
  function askOnce(roomId: string): Promise<RoomFound> {
    const readAt = now()
    // The room may be forgotten meanwhile: then the answer may be from before it moved, and is not kept.
    const isCurrent = () => underWay.get(roomId) === asked && underWay.delete(roomId)
    const asked: Promise<RoomFound> = ask(roomId).then(
      (found) => {
        if (isCurrent()) keep(roomId, found, readAt)
        return found
      },
      () => {
        isCurrent()
        return remembered(roomId) // That Redis is away is logged by its connection.
      },
    )
    underWay.set(roomId, asked)
    return asked
  }

  function keep(roomId: string, found: RoomFound, readAt: number): void {
    if (found.kind === 'pod') known.set(roomId, { found, readAt })
    else known.delete(roomId)
  }

  return {
    find(roomId: string): RoomFound | Promise<RoomFound> {
      const last = known.get(roomId)
      const asked = underWay.get(roomId)
      if (asked || (last && now() - last.readAt < freshMs)) {
        count('cache')
        return asked ?? (last as { found: RoomFound }).found
      }
      return isRedisUp() ? askOnce(roomId) : remembered(roomId)
    },
    /** The room has moved. */
    forget(roomId: string): void {
      known.delete(roomId)
      underWay.delete(roomId)
    },
  }
}

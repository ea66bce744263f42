import { LRUCache } from 'lru-cache'
import type { RestOutcome } from '../rooms.store.ts'
import { type LiveRoom, RoomRested } from './live-room.ts'
import type { RoomHooks } from './restore-room.ts'
import type { RoomListeners } from './room-listeners.ts'

interface HeldRoomDeps {
  /** Claims the room, restores it and starts its clock. */
  take(roomId: string, hooks: RoomHooks): Promise<LiveRoom>
  listeners: RoomListeners
}

const maxEndedRooms = 200

/** The rooms that this instance holds, from the moment in which they are opened until they end, rest or are lost. */
// One function, because every way to open or lose a room changes the same three maps.
export function createHeldRooms({ take, listeners: { notify } }: HeldRoomDeps) {
  const open = new Map<string, Promise<LiveRoom>>()
  /** Those of them that have finished opening. */
  const ready = new Map<string, LiveRoom>()
  /** Rooms that have ended are still read for a while. */
  const ended = new LRUCache<string, Promise<LiveRoom>>({ max: maxEndedRooms })

  const held = (roomId: string): Promise<LiveRoom> | undefined => open.get(roomId) ?? ended.get(roomId)

  function forget(roomId: string): boolean {
    ready.delete(roomId)
    return open.delete(roomId)
  }

  function retire(roomId: string, room: Promise<LiveRoom>): void {
    if (open.get(roomId) !== room) return
    forget(roomId)
    ended.set(roomId, room)
    notify((listener) => listener.ended?.(roomId))
  }

  /** Only this one: if the room has been opened again since, that one is sound, and so are its connections. */
  function evict(roomId: string, room: Promise<LiveRoom>): void {
    if (held(roomId) !== room) return
    forget(roomId)
    ended.delete(roomId)
    notify((listener) => listener.lost?.(roomId))
  }

  function live(roomId: string): Promise<LiveRoom> {
    const known = held(roomId)
    if (known) return known
    const opening: Promise<LiveRoom> = take(roomId, {
      onEmitted(room, ...news) {
        notify((listener) => listener.emitted?.(room, ...news))
        if (room.status.kind === 'ended') retire(roomId, opening)
      },
      onLost: () => evict(roomId, opening),
    })
    open.set(roomId, opening)
    opening.then(
      (room) => {
        if (room.state().status.kind === 'ended') retire(roomId, opening)
        else if (open.get(roomId) === opening) {
          ready.set(roomId, room)
          notify((listener) => listener.opened?.(room.state()))
        }
      },
      // Unless it has been opened again since.
      () => open.get(roomId) === opening && forget(roomId),
    )
    return opening
  }

  function drop(roomId: string): void {
    open.get(roomId)?.then(
      (room) => room.lose('elsewhere'),
      () => undefined,
    )
  }

  return {
    live,
    held,
    drop,
    ready: ready as ReadonlyMap<string, LiveRoom>,
    ids: (): string[] => [...open.keys()],
    all: (): Promise<LiveRoom>[] => [...open.values()],
    /** The room if it is open here. Instances before 0.3.0 do not say which it is: then it can be any. */
    openAs: (roomId: string | undefined): Promise<LiveRoom>[] =>
      [...(roomId === undefined ? open.values() : [open.get(roomId)])].filter((room) => room !== undefined),
    readAgain(roomId: string): void {
      ended.delete(roomId)
      drop(roomId)
    },
    /** Acts on the room, opening it if necessary. If it is put to rest at this very moment, it is opened again. */
    async onLive<Done>(roomId: string, act: (room: LiveRoom) => Promise<Done>): Promise<Done> {
      for (;;) {
        const room = await live(roomId)
        try {
          return await act(room)
        } catch (error) {
          if (!(error instanceof RoomRested)) throw error
        }
      }
    },
    async rest(roomId: string, room: LiveRoom): Promise<RestOutcome | 'busy'> {
      const self = open.get(roomId)
      const outcome = await room.rest()
      if (outcome === 'resting' && open.get(roomId) === self && forget(roomId))
        notify((listener) => listener.rested?.(roomId))
      return outcome
    },
  }
}

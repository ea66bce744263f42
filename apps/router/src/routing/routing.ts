import type { Backends } from '../directory/backends.ts'
import type { Pods } from '../directory/pods.ts'
import type { RoomFound, Rooms } from '../directory/rooms.ts'
import type { Destination } from './destination.ts'

export type Route =
  | { kind: 'redirect'; location: string }
  /** The origins to try in order: the second only when the first failed and the request may be repeated. */
  | { kind: 'forward'; target: 'room' | 'backend' | 'web'; origins: readonly string[] }
  /** Nobody can answer at the moment. */
  | { kind: 'unavailable'; why: string }

export type Routing = ReturnType<typeof createRouting>

interface RoutingDeps {
  rooms: Rooms
  pods: Pods
  backends: Backends
  web: string | undefined
}

/** Never to another pod: it does not have the room, and must not make it anew while it is taken over. */
const toOrigin = (origin: string | undefined): Route =>
  origin === undefined
    ? { kind: 'unavailable', why: 'The room is moving to another instance. Try again shortly.' }
    : { kind: 'forward', target: 'room', origins: [origin] }

/** The contract's rules of room routing: from where a request belongs to who answers it. */
export function createRouting({ rooms, pods, backends, web }: RoutingDeps) {
  function toBackend(): Route {
    const origins = backends.next()
    return origins.length > 0
      ? { kind: 'forward', target: 'backend', origins }
      : { kind: 'unavailable', why: 'No instance is running. Try again shortly.' }
  }

  /** Without a promise where nothing has to be waited for: almost always. */
  function toRoom(roomId: string, wantsPage: boolean): Route | Promise<Route> {
    const found = rooms.find(roomId)
    return found instanceof Promise
      ? found.then((later) => toPod(roomId, wantsPage, later))
      : toPod(roomId, wantsPage, found)
  }

  function toPod(roomId: string, wantsPage: boolean, found: RoomFound): Route | Promise<Route> {
    if (found.kind === 'unassigned') return toBackend() // Rule 2
    if (found.kind === 'unknown')
      return {
        kind: 'unavailable',
        why: 'Where the room runs is not known at the moment. Try again shortly.',
      }
    if (wantsPage) {
      const query = new URLSearchParams({ roomId, pod: found.podId })
      return { kind: 'redirect', location: `/experiment?${query}` } // Rule 4
    }
    const origin = pods.find(found.podId)
    return origin instanceof Promise ? origin.then(toOrigin) : toOrigin(origin) // Rule 3
  }

  return {
    routeTo(
      destination: Exclude<Destination, { kind: 'router' }>,
      wantsHtml: boolean,
    ): Route | Promise<Route> {
      switch (destination.kind) {
        case 'room':
          return toRoom(destination.roomId, destination.isPage && wantsHtml)
        case 'web':
          return web === undefined ? toBackend() : { kind: 'forward', target: 'web', origins: [web, web] }
        case 'ready':
        case 'backend':
          return toBackend()
      }
    },
  }
}

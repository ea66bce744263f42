import type { Backends } from '../directory/backends.ts'
import type { Pods } from '../directory/pods.ts'
import type { RoomLocation, Rooms } from '../directory/rooms.ts'
import type { ForwardedDestination } from './destination.ts'

export type Route =
  | { kind: 'redirect'; location: string }
  /** The origins to try in order: the second only if the first failed and the request may be repeated. */
  | { kind: 'forward'; target: 'room' | 'backend' | 'web'; origins: readonly string[] }
  | { kind: 'unavailable'; message: string }

export type Routing = ReturnType<typeof createRouting>

interface RoutingDeps {
  rooms: Rooms
  pods: Pods
  backends: Backends
  web: string | undefined
}

/** Never to another instance: it does not have the room and must not create it again during a take-over. */
const toOrigin = (origin: string | undefined): Route =>
  origin === undefined
    ? { kind: 'unavailable', message: 'The room is moving to another instance. Try again shortly.' }
    : { kind: 'forward', target: 'room', origins: [origin] }

/** The contract's room routing rules: from where a request belongs to who answers it. */
export function createRouting({ rooms, pods, backends, web }: RoutingDeps) {
  function toBackend(): Route {
    const origins = backends.next()
    return origins.length > 0
      ? { kind: 'forward', target: 'backend', origins }
      : { kind: 'unavailable', message: 'No instance is running. Try again shortly.' }
  }

  /** Synchronous unless Redis has to be read, which is rare. */
  function toRoom(roomId: string, wantsPage: boolean): Route | Promise<Route> {
    const location = rooms.find(roomId)
    return location instanceof Promise
      ? location.then((found) => toPod(roomId, wantsPage, found))
      : toPod(roomId, wantsPage, location)
  }

  function toPod(roomId: string, wantsPage: boolean, location: RoomLocation): Route | Promise<Route> {
    if (location.kind === 'unassigned') return toBackend() // Rule 2
    if (location.kind === 'unknown')
      return { kind: 'unavailable', message: 'The room cannot be located right now. Try again shortly.' }
    if (wantsPage) {
      const query = new URLSearchParams({ roomId, pod: location.podId })
      return { kind: 'redirect', location: `/experiment?${query}` } // Rule 4
    }
    const origin = pods.find(location.podId)
    return origin instanceof Promise ? origin.then(toOrigin) : toOrigin(origin) // Rule 3
  }

  return {
    routeTo(destination: ForwardedDestination, wantsHtml: boolean): Route | Promise<Route> {
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

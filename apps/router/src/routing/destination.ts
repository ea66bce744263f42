/** Where a request belongs, by its address alone: the contract's path table. */
export type Destination =
  /** The router's own health. */
  | { kind: 'router' }
  /** Not ready while the router stops; otherwise a backend's. */
  | { kind: 'ready' }
  | { kind: 'room'; roomId: string; isPage: boolean }
  | { kind: 'backend' }
  | { kind: 'web' }

/** Stands at the start of a segment and is as long as it can be; nothing is decoded, so %2F is no slash. */
const roomInPath = /\/(room_[\w-]+)/
const wholeRoomId = /^room_[\w-]+$/
const roomPage = /^\/experiment\/room_[\w-]+\/?$/
const podPaths = /^\/(?:experiment\/room_|socket\.io(?:\/|$)|api\/room\/|api\/experiment\/)/
const backendPaths = /^\/(?:api|health|dev|media)(?:\/|$)/

export function destinationOf(target: string): Destination {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  if (podPaths.test(path)) {
    const roomId =
      roomInPath.exec(path)?.[1] ?? (path.startsWith('/socket.io') ? roomInQuery(target, end) : undefined)
    return roomId === undefined ? { kind: 'backend' } : { kind: 'room', roomId, isPage: roomPage.test(path) }
  }
  if (path === '/health/router') return { kind: 'router' }
  if (path === '/health/ready') return { kind: 'ready' }
  return backendPaths.test(path) ? { kind: 'backend' } : { kind: 'web' }
}

/** Two rooms in one address are none: whoever reads it next might take the other one. */
function roomInQuery(target: string, end: number): string | undefined {
  if (end < 0) return undefined
  const [roomId, ...more] = new URLSearchParams(target.slice(end + 1)).getAll('roomId')
  return roomId !== undefined && more.length === 0 && wholeRoomId.test(roomId) ? roomId : undefined
}

/**
 * The path and query of a request target. The absolute form has to be understood (RFC 9112) but its host chooses
 * nothing. Undefined for what is no address of ours, like `*`.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]
  return rest === undefined ? undefined : rest.startsWith('/') ? rest : `/${rest}`
}

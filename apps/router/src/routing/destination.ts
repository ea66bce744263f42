/** Where a request belongs, decided by its path alone: the contract's path table. */
export type Destination =
  /** The router's own health endpoint. */
  | { kind: 'router' }
  /** Answered by a backend, or refused while the router is stopping. */
  | { kind: 'ready' }
  | { kind: 'room'; roomId: string; isPage: boolean }
  | { kind: 'backend' }
  | { kind: 'web' }

/** Everything that the router does not answer itself. */
export type ForwardedDestination = Exclude<Destination, { kind: 'router' }>

/** The longest match at the start of a segment. Nothing is decoded, so %2F is not a slash. */
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

/** None if there are two: the next reader might pick the other one. */
function roomInQuery(target: string, end: number): string | undefined {
  if (end < 0) return undefined
  const [roomId, ...more] = new URLSearchParams(target.slice(end + 1)).getAll('roomId')
  return roomId !== undefined && more.length === 0 && wholeRoomId.test(roomId) ? roomId : undefined
}

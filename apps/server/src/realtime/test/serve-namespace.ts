import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createShares } from '../shares.ts'
import { createSocketServer } from '../socket-server.ts'

/** The socket server by itself, with one namespace that lets everyone in. */
export async function serveNamespace(name: string) {
  const server = createServer()
  /** Why sockets were disconnected. */
  const reasons: string[] = []
  const { io, door } = createSocketServer({
    server,
    publicUrl: undefined,
    isOwnHost: undefined,
    pageOrigins: new Set(),
    metrics: { connected: () => undefined, disconnected: (reason) => void reasons.push(reason) },
    shares: createShares(),
    addressOf: () => 'here',
    onDecided: () => undefined,
  })
  const namespace = io.of(name)
  namespace.use((socket, next) => {
    door.admit(socket.conn, name, socket.id, false)
    next()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { namespace, port, reasons, close: () => io.close() }
}

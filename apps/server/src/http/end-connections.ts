import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a stop waits for requests under way; well below the time after which the process is killed. */
const patienceMs = 8_000

/**
 * Lets the server stop whatever its clients do. Node waits for every connection that is not idle, counts those as busy
 * that have never sent a complete request (browsers open some in advance), no longer looks for slow ones while closing,
 * and keeps connections alive whose request was under way, so that the stop would take all of its patience.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  /** The newest response on each connection; none where nothing was ever asked. */
  const newest = new Map<Socket, ServerResponse | undefined>()
  app.server.on('connection', (socket) => {
    newest.set(socket, undefined)
    socket.once('close', () => newest.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => newest.set(socket, response))
  app.server.on('upgrade', ({ socket }) => newest.delete(socket))
  app.addHook('preClose', async () => {
    for (const [socket, response] of newest)
      if (response) response.shouldKeepAlive = false
      else socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), patienceMs).unref()
  })
}

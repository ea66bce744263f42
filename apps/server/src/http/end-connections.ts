import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a stop waits for requests under way; well below the time after which the process is killed. */
const patienceMs = 8_000

/**
 * Lets the server stop whatever its clients do. Node waits for every connection that is not idle, counts those as busy
 * that have never sent a complete request (browsers open some in advance), and no longer looks for slow ones while
 * closing.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.server.on('upgrade', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), patienceMs).unref()
  })
}

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
  const silent = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    silent.delete(socket)
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  app.server.on('upgrade', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
    for (const response of underWay) response.shouldKeepAlive = false
    setTimeout(() => app.server.closeAllConnections(), patienceMs).unref()
  })
}

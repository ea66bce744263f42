import type { IncomingMessage, Server } from 'node:http'

/**
 * Bodies that may take longer than any other request, because they are films: the object store, and the upload of a
 * whole file. They are not limited in time, but end when nothing arrives any more.
 */
const longBodies = /^\/(objects\/|api\/upload\/video(\?|$))/

export const mayTakeLong = (url: string | undefined): boolean => longBodies.test(url ?? '')

/** Silence after which such a request is over. People upload over trains and hotel networks. */
const idleMs = 60_000

/** Ends requests with long bodies whose client has fallen silent. Their handlers see an aborted request. */
export function endSilentBodies(server: Server, limitMs = idleMs): void {
  server.on('request', (request: IncomingMessage) => {
    if (!mayTakeLong(request.url) || request.complete) return
    const { socket } = request
    let seen = socket.bytesRead
    let looks = 0
    // Only looks: a listener for the data itself would take it away from the handler. Twice, because timers come first:
    // after the process was busy, what has arrived meanwhile is read only after the first look.
    const timer = setInterval(() => {
      looks = socket.bytesRead === seen ? looks + 1 : 0
      seen = socket.bytesRead
      if (looks >= 2 && !request.complete) socket.destroy()
    }, limitMs / 2)
    request.once('close', () => clearInterval(timer))
  })
}

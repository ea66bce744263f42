import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { allRoutes } from '@atrium/contract'

/**
 * Bodies that may take longer than any other request, because they are files: the object store, and every route that takes a
 * form with a file. They are not limited in time: the routes ask for a pace (`upload-shares.ts`), the store has rules of its
 * own, and all of them end when nothing arrives any more.
 */
const longBodies = new RegExp(
  `^/(?:objects/|(?:${allRoutes
    .filter(({ bodyType }) => bodyType === 'multipart/form-data')
    .map(({ path }) => path.slice(1).replace(/:\w+/g, '[^/?]+'))
    .join('|')})(?:[?]|$))`,
)

export const mayTakeLong = (url: string | undefined): boolean => longBodies.test(url ?? '')

interface Patience {
  /** Silence after which such a request is over. People upload over trains and hotel networks. */
  silentMs: number
  /** What is still sent after the answer is dropped for this long, as it is for any other request. */
  answeredMs: number
}

const usualPatience: Patience = { silentMs: 60_000, answeredMs: 17_000 }

/** Ends requests with long bodies whose client has fallen silent or ignores the answer. Their handlers see an aborted request. */
export function endLongBodies(server: Server, { silentMs, answeredMs } = usualPatience): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!mayTakeLong(request.url) || request.complete) return
    const { socket } = request
    let seen = socket.bytesRead
    let looks = 0
    // Only looks: a listener for the data itself would take it away from the handler. Twice, because timers come first:
    // after the process was busy, what has arrived meanwhile is read only after the first look.
    const timer = setInterval(() => {
      if (request.complete) return stop()
      looks = socket.bytesRead === seen ? looks + 1 : 0
      seen = socket.bytesRead
      if (looks >= 2) socket.destroy()
    }, silentMs / 2)
    let cut: NodeJS.Timeout | undefined
    response.once('finish', () => {
      // Not at once: whoever is still sending would see a reset instead of the answer.
      if (!request.complete) cut = setTimeout(() => request.complete || socket.destroy(), answeredMs)
    })
    const stop = () => {
      clearInterval(timer)
      clearTimeout(cut)
      socket.off('close', stop)
    }
    // A request that was answered early may close before all of it has come, or never: only its connection tells the end.
    socket.once('close', stop)
    request.once('close', () => request.complete && stop())
  })
}

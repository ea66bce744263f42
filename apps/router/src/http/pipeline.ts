import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Handles a request, which is over when its response closes. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Connection {
  /** The response to the current request. */
  response: ServerResponse
  queue: { response: ServerResponse; start(): void }[]
}

/** Node parses everything it has read. Once more requests than this are queued, the socket is read no further. */
const maxQueued = 8

/**
 * Handles one request at a time on each client connection. A client that pipelines thousands of requests has one in
 * progress and is read no faster than it is answered.
 */
export function createPipelines() {
  const connections = new WeakMap<Socket, Connection>()

  function startNextOnClose(connection: Connection, socket: Socket): void {
    connection.response.once('close', () => {
      const next = connection.queue.shift()
      // A response that ended the connection is the last one; the requests queued behind it are dropped.
      if (next === undefined || socket.destroyed || socket.writableEnded) connections.delete(socket)
      else {
        connection.response = next.response
        if (connection.queue.length === 0) socket.resume()
        startNextOnClose(connection, socket)
        next.start()
      }
    })
  }

  return {
    handle(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
      const { socket } = request
      const connection = connections.get(socket)
      if (connection === undefined) {
        const fresh = { response, queue: [] }
        connections.set(socket, fresh)
        startNextOnClose(fresh, socket)
        handler(request, response)
        return
      }
      const start = () => {
        // It may have been refused in the meantime because its body turned out to be malformed.
        if (!response.headersSent) handler(request, response)
      }
      connection.queue.push({ response, start })
      // Pause only after everything read so far has been parsed, because Node resumes the socket at the end of each
      // message. Reading a body resumes it too; the next request that arrives pauses it again.
      if (connection.queue.length > maxQueued)
        setImmediate(() => {
          if (connection.queue.length > maxQueued) socket.pause()
        })
    },
    /** Whether a request on this connection still awaits its response. */
    isBusy: (socket: Socket): boolean => connections.has(socket),
  }
}

export type Pipelines = ReturnType<typeof createPipelines>

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Handles a request. It is over when its response closes. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface Connection {
  /** The request that is being handled; its answer comes first. */
  response: ServerResponse
  waiting: { response: ServerResponse; start(): void }[]
}

/** Node parses what has been read to its end. With more than this in line, nothing more is read. */
const mostInLine = 8

/**
 * One request at a time for each client connection, whatever was sent ahead: a client that pipelines thousands has one
 * under way, and is read no faster than it is answered.
 */
export function createPipelines() {
  const connections = new WeakMap<Socket, Connection>()

  function follow(connection: Connection, socket: Socket): void {
    connection.response.once('close', () => {
      const next = connection.waiting.shift()
      // An answer that ends the connection is the last one: what follows it was never asked for.
      if (next === undefined || socket.destroyed || socket.writableEnded) connections.delete(socket)
      else {
        connection.response = next.response
        if (connection.waiting.length === 0) socket.resume()
        follow(connection, socket)
        next.start()
      }
    })
  }

  return {
    take(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
      const { socket } = request
      const connection = connections.get(socket)
      if (connection === undefined) {
        const fresh = { response, waiting: [] }
        connections.set(socket, fresh)
        follow(fresh, socket)
        handle(request, response)
        return
      }
      const start = () => {
        // It may have been refused meanwhile: its body turned out to be malformed.
        if (!response.headersSent) handle(request, response)
      }
      connection.waiting.push({ response, start })
      // Once what was read has been parsed, for Node resumes the socket at the end of each message. Reading a body resumes
      // it too; the next request that comes pauses it again.
      if (connection.waiting.length > mostInLine)
        setImmediate(() => {
          if (connection.waiting.length > mostInLine) socket.pause()
        })
    },
    /** Whether a request of this connection has not been answered yet. */
    isBusy: (socket: Socket): boolean => connections.has(socket),
  }
}

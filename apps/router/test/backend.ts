import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { WebSocketServer } from 'ws'

/** A request as the backend received it. */
export interface EchoedRequest {
  backend: string
  method: string
  url: string
  headers: Record<string, string>
  rawHeaders: string[]
  bytes: number
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Backend {
  readonly name: string
  readonly origin: string
  readonly server: Server
  /** Requests and upgrades received. */
  requestCount(): number
  openConnections(): Promise<number>
  stop(): Promise<void>
}

/** A real HTTP server that echoes each request as JSON, and frames on sockets. */
export async function startBackend(name: string, handler: Handler = echoRequest): Promise<Backend> {
  let count = 0
  const handle: Handler = (request, response) => {
    count++
    response.setHeader('x-backend', name)
    return handler(request, response)
  }
  const server = createServer(handle)
  server.on('upgrade', () => count++)
  const sockets = new WebSocketServer({
    server,
    maxPayload: 64 * 2 ** 20,
    verifyClient: ({ req }, admit) =>
      admit(!req.url?.includes('refuse'), 418, 'Not here', { 'X-Why': 'asked' }),
  })
  sockets.on('connection', (socket, { url, socket: connection }) => {
    socket.on('error', () => undefined)
    socket.on('message', (data, isBinary) => {
      if (String(data) === 'who?') socket.send(`${name} ${url}`)
      else if (String(data) === 'break') socket.terminate()
      else if (String(data) === 'reset') connection.resetAndDestroy()
      else socket.send(data, { binary: isBinary })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    server,
    requestCount: () => count,
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      ),
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Reads the whole request and responds with what it was. */
export async function echoRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { length } = await buffer(request)
  const echo: EchoedRequest = {
    backend: String(response.getHeader('x-backend')),
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers as Record<string, string>,
    rawHeaders: request.rawHeaders,
    bytes: length,
  }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(echo))
}

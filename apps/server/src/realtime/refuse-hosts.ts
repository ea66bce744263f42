import { type Server as HttpServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, errorCatalogue, requestIdHeader } from '@atrium/contract'
import type { Server } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'

type IsOwnHost = (request: IncomingMessage) => boolean

/** H1: answers requests and upgrades that call us by a foreign name before Socket.IO sees them. */
export function refuseHosts(server: HttpServer, io: Server, isOwnHost: IsOwnHost): void {
  io.engine.use((request: IncomingMessage, response: unknown, next: () => void) => {
    if (isOwnHost(request)) next()
    else if (response instanceof ServerResponse) response.writeHead(status, headersFor(request)).end(body)
    else refuseUpgrade(request, request.socket)
  })
  // Socket.IO closes upgrades of other addresses a second later, without a word.
  const path = io.path()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (!request.url?.startsWith(path) && !isOwnHost(request)) refuseUpgrade(request, socket)
  })
}

const { status } = errorCatalogue.HOST_REFUSED
const body = JSON.stringify(errorBody('plain', new AppError('HOST_REFUSED')))

const headersFor = ({ headers }: IncomingMessage): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(body)),
  Connection: 'close',
  ...(typeof headers[requestIdHeader] === 'string' && { 'X-Request-Id': headers[requestIdHeader] }),
})

function refuseUpgrade(request: IncomingMessage, socket: Duplex): void {
  const headers = Object.entries(headersFor(request)).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', () => undefined) // Whoever asked may be gone.
  socket.end([`HTTP/1.1 ${status} HOST_REFUSED`, ...headers, '', body].join('\r\n'))
}

// The backend behind the proxies: a short JSON response, and sockets that echo.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { printListening } from './peer.ts'

const body = JSON.stringify({ roomId: 'room_bench', state: 'talk', participants: 4, note: 'x'.repeat(120) })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }

const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
new WebSocketServer({ server }).on('connection', (socket) =>
  socket.on('message', (data) => socket.send(data)),
)
server.listen(0, '127.0.0.1', () => printListening(server.address()))
process.on('SIGTERM', () => process.exit(0))

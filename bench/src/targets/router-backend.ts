// What stands behind the proxies: a short JSON answer, and sockets that say back what they hear.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { sayListening } from './peer.ts'

const answer = JSON.stringify({ roomId: 'room_bench', state: 'talk', participants: 4, note: 'x'.repeat(120) })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }

const server = createServer((_request, response) => response.writeHead(200, headers).end(answer))
new WebSocketServer({ server }).on('connection', (socket) =>
  socket.on('message', (data) => socket.send(data)),
)
server.listen(0, '127.0.0.1', () => sayListening(server.address()))
process.on('SIGTERM', () => process.exit(0))

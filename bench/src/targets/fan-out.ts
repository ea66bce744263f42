// The platform's own broadcast without its log: the same socket server, used as in `rooms.socket.ts`.
import { createServer } from 'node:http'
import { createFanOut } from '../../../apps/server/src/realtime/fan-out.ts'
import { createShares } from '../../../apps/server/src/realtime/shares.ts'
import { createSocketServer } from '../../../apps/server/src/realtime/socket-server.ts'
import { handleBroadcasts } from './broadcasts.ts'
import { printListening } from './peer.ts'

const server = createServer()
const { io, door } = createSocketServer({
  server,
  publicUrl: undefined,
  isOwnHost: undefined,
  pageOrigins: new Set(),
  shares: createShares(),
  addressOf: () => 'one address',
  onDecided: () => undefined,
  metrics: { connected: () => undefined, disconnected: () => undefined },
})
const namespace = io.of('/experiment')
namespace.use((socket, next) => {
  door.admit(socket.conn, '/experiment', socket.id, false)
  next()
})
namespace.on('connection', (socket) => {
  const roomId = String(socket.handshake.query.roomId)
  void socket.join([roomId, `${roomId}:all`, `${roomId}:${socket.id}`])
  socket.emit('room_snapshot', {})
})
const fanOut = createFanOut(namespace)
const handle = handleBroadcasts((roomId, event) => fanOut([`${roomId}:all`], 'room_event', event))
server.on('request', (request, response) => {
  if (request.method === 'POST') handle(request, response)
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))
process.on('SIGTERM', () => process.exit(0))

// The least a broadcast can cost: the event is serialised once and sent to each socket of the room.
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { handleBroadcasts } from './broadcasts.ts'
import { printListening } from './peer.ts'

const rooms = new Map<string, Set<WebSocket>>()

const server = createServer(
  handleBroadcasts((roomId, event) => {
    const text = JSON.stringify(event)
    for (const socket of rooms.get(roomId) ?? []) socket.send(text)
  }),
)
new WebSocketServer({ server }).on('connection', (socket, { url }) => {
  const roomId = new URL(url ?? '', 'http://localhost').searchParams.get('roomId') ?? ''
  const sockets = rooms.get(roomId) ?? new Set()
  rooms.set(roomId, sockets.add(socket))
  socket.on('close', () => sockets.delete(socket))
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))
process.on('SIGTERM', () => process.exit(0))

// As little as a broadcast can be: the text is made once and given to each socket of the room.
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerBroadcasts } from './broadcasts.ts'
import { sayListening } from './peer.ts'

const rooms = new Map<string, Set<WebSocket>>()

const server = createServer(
  answerBroadcasts((roomId, event) => {
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
server.listen(0, '127.0.0.1', () => sayListening(server.address()))
process.on('SIGTERM', () => process.exit(0))

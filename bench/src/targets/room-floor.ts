// The least a durable action can cost: a bare `ws` server that writes the rows of the platform's log, in one transaction
// for all messages that have arrived, and then acknowledges each message and sends it to the four sockets of its room.
// Nobody is checked and nothing is decided; every frame is as long as the platform's own.
import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { newParticipantId, newRoomId } from '../../../apps/server/src/kernel/ids.ts'
import { roomCommitEveryMs } from '../../../apps/server/src/modules/rooms/live/room-log.ts'
import { printListening } from './peer.ts'
import { type LoggedMessage, openRoomFloorLog } from './room-floor-log.ts'

interface Room {
  roomId: string
  members: Member[]
  lastSeq: number
}

interface Member {
  socket: WebSocket
  participantId: string
  alias: string
  streamNo: number
  streamSeq: number
}

/** A message on its way to the disk, and what is sent afterwards. */
interface Waiting {
  logged: LoggedMessage
  room: Room
  sender: Member
  acknowledgement: string
  delivery: string
}

const packetPrefix = '42/experiment,'
const log = await openRoomFloorLog(Number(process.env.SOCKETS), process.env)
const rooms = new Map<string, Room>()
let streams = 0
let waiting: Waiting[] = []
let isWriting = false
let lastBegunAt = 0

function receive(room: Room, sender: Member, packet: string): void {
  const start = packet.indexOf('[')
  const [, { actionId, text }] = JSON.parse(packet.slice(start)) as [
    string,
    { actionId: string; text: string },
  ]
  const { participantId, alias, streamNo } = sender
  const seq = ++room.lastSeq
  const at = Date.now()
  const message = { messageId: `m${seq}`, from: alias, componentId: 'chat', text, at }
  waiting.push({
    logged: {
      roomId: room.roomId,
      seq,
      at,
      actor: participantId,
      actionId,
      action: JSON.stringify({ actionId, text, type: 'send_message', participantId }),
      streamNo,
      streamSeq: ++sender.streamSeq,
      data: JSON.stringify({ messageId: message.messageId, text, actionId }),
    },
    room,
    sender,
    acknowledgement: `43/experiment,${packet.slice(packetPrefix.length, start)}[{"ok":true,"seq":${seq}}]`,
    delivery: `${packetPrefix}${JSON.stringify(['room_event', { type: 'message', message, seq, at }])}`,
  })
  writeSoon()
}

/** At the platform's pace. What arrives before or during a write forms one group. */
function writeSoon(): void {
  if (isWriting) return
  isWriting = true
  const waitMs = lastBegunAt + roomCommitEveryMs - performance.now()
  // Even without a wait, everything that has arrived is read first.
  if (waitMs > 0) setTimeout(writeGroup, waitMs)
  else setImmediate(writeGroup)
}

async function writeGroup(): Promise<void> {
  lastBegunAt = performance.now()
  const group = waiting
  waiting = []
  await log.write(group.map(({ logged }) => logged))
  for (const written of group) deliver(written)
  isWriting = false
  if (waiting.length > 0) writeSoon()
}

function deliver({ room, sender, acknowledgement, delivery }: Waiting): void {
  sender.socket.send(acknowledgement)
  const encoded = Buffer.from(delivery)
  for (const { socket } of room.members) socket.send(encoded, { binary: false })
}

const server = createServer()
new WebSocketServer({ server }).on('connection', (socket, { url }) => {
  const name = new URL(url ?? '', 'http://localhost').searchParams.get('roomId') ?? ''
  const room = rooms.get(name) ?? { roomId: newRoomId(), members: [], lastSeq: 0 }
  rooms.set(name, room)
  const alias = `P${room.members.length + 1}`
  const member = { socket, participantId: newParticipantId(), alias, streamNo: ++streams, streamSeq: 0 }
  room.members.push(member)
  socket.on('message', (data) => receive(room, member, String(data)))
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))

process.on('SIGTERM', async () => {
  await log.close()
  process.exit(0)
})

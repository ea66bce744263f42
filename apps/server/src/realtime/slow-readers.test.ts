import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { createShares } from './shares.ts'
import { createSocketServer } from './socket-server.ts'

/** More than the kernel buffers on both sides. */
const messages = 40
const text = 'x'.repeat(1_048_576)

it('[R26] a socket that does not read is dropped; one that reads is not', async () => {
  const server = createServer()
  const reasons: string[] = []
  const metrics = { connected: () => undefined, disconnected: (reason: string) => void reasons.push(reason) }
  const { io, door } = createSocketServer({
    server,
    publicUrl: undefined,
    pageOrigins: new Set(),
    metrics,
    shares: createShares(),
    addressOf: () => 'here',
    onDecided: () => undefined,
  })
  const flood = io.of('/flood')
  flood.use((socket, next) => {
    door.admit(socket.conn, '/flood', socket.id, false)
    next()
  })
  const joined: string[] = []
  flood.on('connection', (socket) => joined.push(socket.id))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const socket = await openByHand(port)
    const before = joined.length
    await waitUntil(() => joined.length > before || 'it has not joined')
    return socket
  }
  const slow = await open()
  const quick = await open()
  // Both answer pings, so that it is not the ping that finds the slow reader.
  const answerPings = () => {
    for (const socket of [slow, quick]) if (socket.writable) socket.write(frameOf('3'))
  }
  try {
    slow.pause()
    for (let sent = 1; sent <= messages; sent++) {
      flood.emit('news', text)
      await waitUntil(() => quick.bytesRead >= sent * text.length || 'the quick one reads')
      answerPings()
    }
    const [slowId = '', quickId = ''] = joined
    await waitUntil(() => {
      answerPings()
      return !flood.sockets.has(slowId) || 'the slow one is still there'
    })
    expect(reasons).toEqual([expect.stringMatching(/^transport (close|error)$/)])
    expect(flood.sockets.has(quickId)).toBe(true)
  } finally {
    slow.destroy()
    quick.destroy()
    await io.close()
  }
})

/** A hand-made websocket in the namespace `/flood`: no client library lets its user stop reading. */
async function openByHand(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // Being cut off is what is expected.
  socket.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      'Host: 127.0.0.1',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      '\r\n',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  socket.write(frameOf('40/flood,'))
  socket.on('data', () => undefined)
  return socket
}

/** A text frame, masked with zeroes. */
function frameOf(packet: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | packet.length, 0, 0, 0, 0]), Buffer.from(packet)])
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { createSocketServer } from './socket-server.ts'

/** Enough to fill what the kernel buffers on both sides, and then some. */
const messages = 40
const text = 'x'.repeat(1_048_576)

it('[R26] a socket that does not read what it is sent is dropped; one that reads is not', async () => {
  const server = createServer()
  const reasons: string[] = []
  const metrics = { connected: () => undefined, disconnected: (reason: string) => void reasons.push(reason) }
  const io = createSocketServer({ server, publicUrl: undefined, metrics })
  const joined: string[] = []
  io.of('/flood').on('connection', (socket) => joined.push(socket.id))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const slow = await openByHand(port)
  const quick = await openByHand(port)
  try {
    await waitUntil(() => joined.length === 2 || `${joined.length} joined`)
    slow.pause()
    for (let sent = 0; sent < messages; sent++) io.of('/flood').emit('news', text)
    // Before the ping would find it, 8 s after the connection.
    await waitUntil(() => reasons.length > 0 || 'nobody was dropped', { timeoutMs: 4_000 })
    await waitUntil(() => io.engine.clientsCount === 1 || `${io.engine.clientsCount} connections`)
    expect(quick.destroyed).toBe(false)
    expect(reasons).toHaveLength(1)
  } finally {
    slow.destroy()
    quick.destroy()
    await io.close()
  }
})

/** A websocket in the namespace `/flood`, by hand: no client library lets its user stop reading. */
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
  const packet = Buffer.from('40/flood,')
  // A text frame, masked with zeroes.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | packet.length, 0, 0, 0, 0]), packet]))
  socket.on('data', () => undefined)
  return socket
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server, type Socket } from 'socket.io'
import { io as connect } from 'socket.io-client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { batchWrites } from './write-batches.ts'

/** One connection: the server's side of it, and what the client receives. */
async function openConnection() {
  const server = createServer()
  const io = new Server(server, { transports: ['websocket'], serveClient: false })
  batchWrites(io.engine)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const connected = once(io, 'connection') as Promise<[Socket]>
  const client = connect(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false })
  onTestFinished(async () => {
    client.disconnect()
    await io.close()
  })
  const received: number[] = []
  client.on('number', (number: number) => received.push(number))
  const [socket] = await connected
  await once(client as never, 'connect')
  const wire = socket.conn.request.socket as unknown as { _write(): void; _writev(): void }
  const writes = [vi.spyOn(wire, '_write'), vi.spyOn(wire, '_writev')]
  return { socket, client, received, writes: () => writes.flatMap(({ mock }) => mock.calls).length }
}

it('packets of one turn leave in one write and in order, also those that promises bring', async () => {
  const { socket, received, writes } = await openConnection()
  socket.emit('number', 1)
  socket.emit('number', 2)
  await Promise.resolve().then(() => socket.emit('number', 3))
  expect(writes()).toBe(0)
  await vi.waitFor(() => expect(received).toEqual([1, 2, 3]))
  expect(writes()).toBe(1)
  for (let number = 4; number <= 6; number++) {
    socket.emit('number', number)
    await new Promise(setImmediate)
  }
  await vi.waitFor(() => expect(received).toEqual([1, 2, 3, 4, 5, 6]))
  expect(writes()).toBe(4)
})

it('what is sent in the turn of a disconnection still arrives', async () => {
  const { socket, client, received } = await openConnection()
  const gone = once(client as never, 'disconnect')
  socket.emit('number', 1)
  socket.emit('number', 2)
  socket.disconnect(true)
  await gone
  expect(received).toEqual([1, 2])
})

import { waitUntil } from '@atrium/testkit'
import type { Socket as ServerSocket } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFanOut } from './fan-out.ts'
import { serveNamespace } from './test/serve-namespace.ts'

describe('[R26] what a room is sent', () => {
  let served: Awaited<ReturnType<typeof serveNamespace>>
  let clients: Socket[]

  beforeEach(async () => {
    served = await serveNamespace('/room')
    clients = []
  })
  afterEach(async () => {
    for (const client of clients) client.disconnect()
    await served.close()
  })

  /** A client in these rooms, and everything that it receives, in order. */
  async function join(...rooms: string[]) {
    const arrived = new Promise<ServerSocket>((resolve) => served.namespace.once('connection', resolve))
    const client = io(`http://127.0.0.1:${served.port}/room`, { transports: ['websocket'], forceNew: true })
    clients.push(client)
    const received: unknown[] = []
    client.onAny((name, payload) => void received.push([name, payload]))
    const socket = await arrived
    await socket.join(rooms)
    await waitUntil(() => client.connected || 'not connected yet')
    return { client, socket, received }
  }

  it('reaches everyone in one of its rooms, once, and nobody else', async () => {
    const fanOut = createFanOut<string>(served.namespace)
    const [both, one, other] = [await join('a', 'b'), await join('b'), await join('c')]
    fanOut(['a', 'b'], 'news', { text: 'für alle 🎉' })
    fanOut([], 'news', { text: 'for nobody' })
    fanOut(['nowhere'], 'news', { text: 'for nobody' })
    for (const { socket } of [both, one, other]) socket.emit('last', {})
    await waitUntil(
      () =>
        [both, one, other].every(({ received }) =>
          received.some((entry) => String(entry).startsWith('last')),
        ) || 'not everything has arrived',
    )
    const expected = [
      ['news', { text: 'für alle 🎉' }],
      ['last', {}],
    ]
    expect(both.received).toEqual(expected)
    expect(one.received).toEqual(expected)
    expect(other.received).toEqual([['last', {}]])
  })

  it('stays in order with what else a socket is sent, waiting or not', async () => {
    const fanOut = createFanOut<string>(served.namespace)
    const { socket, received } = await join('a')
    const count = 300
    for (let index = 0; index < count; index += 3) {
      // The first is written at once, so that the second has to wait in Socket.IO's queue.
      socket.emit('news', { index })
      socket.emit('news', { index: index + 1 })
      fanOut(['a'], 'news', { index: index + 2 })
      if (index % 30 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await waitUntil(() => received.length === count || `${received.length} have arrived`)
    expect(received).toEqual(Array.from({ length: count }, (_, index) => ['news', { index }]))
  })

  it('leaves in one write with the acknowledgement that follows it', async () => {
    const fanOut = createFanOut<string>(served.namespace)
    const { client, socket, received } = await join('a')
    let writes = 0
    const { socket: wire } = socket.request
    socket.on('act', (acknowledge: (answer: string) => void) => {
      const write = wire._writev?.bind(wire)
      wire._writev = (chunks, done) => {
        writes++
        write?.(chunks, done)
      }
      fanOut(['a'], 'news', {})
      void Promise.resolve().then(() => acknowledge('done'))
    })
    expect(await client.emitWithAck('act')).toBe('done')
    expect(received).toEqual([['news', {}]])
    expect(writes).toBe(1)
  })

  it('is not sent to a connection that has gone', async () => {
    const fanOut = createFanOut<string>(served.namespace)
    const [gone, here] = [await join('a'), await join('a')]
    gone.socket.conn.close(true)
    fanOut(['a'], 'news', {})
    await waitUntil(() => here.received.length > 0 || 'nothing has arrived')
    expect(gone.received).toEqual([])
  })
})

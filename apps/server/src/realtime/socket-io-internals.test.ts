import { once } from 'node:events'
import { waitUntil } from '@atrium/testkit'
import type { Socket as ServerSocket } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bytesReadBy,
  bytesWaitingIn,
  encodeEvent,
  namespacesOf,
  onceWebSocketClosed,
  packetsWaitingIn,
  sendPastQueue,
  terminate,
  wireOf,
} from './socket-io-internals.ts'
import { openByHand } from './test/open-by-hand.ts'
import { serveNamespace } from './test/serve-namespace.ts'

/** What whoever upgrades reads first. */
const changed = (what: string) => `Socket.IO has changed: ${what}. See socket-io-internals.ts.`

describe('[R26] what is used of Socket.IO without being documented', () => {
  let served: Awaited<ReturnType<typeof serveNamespace>>
  let clients: { destroy(): unknown }[]

  beforeEach(async () => {
    served = await serveNamespace('/room')
    clients = []
  })
  afterEach(async () => {
    for (const client of clients) client.destroy()
    await served.close()
  })

  const arrival = () => once(served.namespace, 'connection').then(([socket]) => socket as ServerSocket)

  /** A real client, and the server’s side of it. */
  async function join() {
    const arrived = arrival()
    const client: Socket = io(`http://127.0.0.1:${served.port}/room`, {
      ...{ transports: ['websocket'], forceNew: true, reconnection: false },
    })
    clients.push({ destroy: () => client.disconnect() })
    const received: unknown[] = []
    client.onAny((...event) => void received.push(event))
    const socket = await arrived
    await waitUntil(() => client.connected || 'not connected yet')
    return { client, socket, received }
  }

  async function joinByHand() {
    const arrived = arrival()
    const wire = await openByHand(served.port, '/room')
    clients.push(wire)
    return { wire, socket: await arrived }
  }

  it('encodes an event that a client reads as if Socket.IO had emitted it', async () => {
    const { socket, received } = await join()
    const message = encodeEvent(served.namespace, 'news', { text: 'für alle 🎉' })
    expect(String(message), changed('packets are encoded differently')).toBe(
      '42/room,["news",{"text":"für alle 🎉"}]',
    )
    await waitUntil(() => packetsWaitingIn(socket.conn) === 0 || 'packets wait')
    expect(sendPastQueue(socket.conn, message), changed('nothing can be sent past the queue')).toBe(true)
    socket.emit('last')
    await waitUntil(() => received.length >= 2 || 'not everything has arrived')
    expect(received).toEqual([['news', { text: 'für alle 🎉' }], ['last']])
  })

  it('sees the packets that wait in the queue, and sends nothing past them', async () => {
    const { socket } = await join()
    socket.emit('written at once')
    socket.emit('waits')
    expect(packetsWaitingIn(socket.conn), changed('what waits in the queue cannot be counted')).toBe(1)
    expect(sendPastQueue(socket.conn, encodeEvent(served.namespace, 'news', {}))).toBe(false)
    await waitUntil(() => packetsWaitingIn(socket.conn) === 0 || 'packets wait')
  })

  it('sends nothing past the queue of a connection that has gone', async () => {
    const { socket } = await join()
    socket.conn.close(true)
    expect(sendPastQueue(socket.conn, encodeEvent(served.namespace, 'news', {}))).toBe(false)
  })

  it('sees the bytes grow for whoever does not read', async () => {
    const { wire, socket } = await joinByHand()
    const message = encodeEvent(served.namespace, 'news', { text: 'x'.repeat(1_048_576) })
    expect(bytesWaitingIn(socket.conn)).toBe(0)
    wire.pause()
    // More than the kernel buffers on both sides.
    for (let sent = 0; sent < 32; sent++) sendPastQueue(socket.conn, message)
    expect(bytesWaitingIn(socket.conn), changed('bytes of slow readers cannot be counted')).toBeGreaterThan(
      message.length,
    )
  })

  it('counts all that arrives', async () => {
    const { client, socket } = await join()
    const before = bytesReadBy(socket.conn)
    const arrived = once(socket, 'note')
    client.emit('note', 'x'.repeat(1_000))
    await arrived
    expect(bytesReadBy(socket.conn) - before, changed('bytes that arrive are not counted')).toBeGreaterThan(
      1_000,
    )
  })

  it('writes to the wire, which can hold it', async () => {
    const { socket } = await join()
    const wire = wireOf(socket)
    wire.cork()
    const waiting = wire.writableLength
    sendPastQueue(socket.conn, encodeEvent(served.namespace, 'news', {}))
    expect(wire.writableLength, changed('the websocket writes elsewhere')).toBeGreaterThan(waiting)
  })

  it('terminates the connection of whoever does not read, and says when the websocket is closed', async () => {
    const { wire, socket } = await joinByHand()
    wire.pause()
    let isClosed = false
    onceWebSocketClosed(socket.conn, () => {
      isClosed = true
    })
    terminate(socket.conn)
    expect(wireOf(socket).destroyed, changed('a websocket cannot be terminated')).toBe(true)
    await waitUntil(() => isClosed || changed('a websocket does not say that it is closed'))
  })

  it('hands on no packet of a connection that was closed while the packet was announced', async () => {
    const { client, socket } = await join()
    const seen: unknown[] = []
    socket.use((packet) => void seen.push(packet))
    const announced = new Promise<void>((resolve) =>
      socket.conn.on('packet', () => {
        socket.conn.close(true)
        resolve()
      }),
    )
    client.emit('note')
    await announced
    await waitUntil(() => !client.connected || 'still connected')
    expect(seen, changed('packets pass a door that is closed')).toEqual([])
  })

  it('knows all namespaces', async () => {
    const { socket } = await join()
    const names = namespacesOf(socket.nsp.server).map(({ name }) => name)
    expect(names, changed('namespaces cannot be listed')).toEqual(expect.arrayContaining(['/', '/room']))
  })
})

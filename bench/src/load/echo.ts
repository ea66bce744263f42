import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Echoes {
  count: number
  latenciesMs: number[]
}

const payloadBytes = 100
/** Masked, as client frames must be; the echoed frame is not, so its head is four bytes shorter. */
const frame = Buffer.concat([
  Buffer.from([0x82, 0x80 | payloadBytes, 0, 0, 0, 0]),
  Buffer.alloc(payloadBytes, 'x'),
])
const echoedBytes = 2 + payloadBytes

/** Each socket sends a frame, waits for its echo, and sends it again. */
export async function echo(address: string, path: string, sockets: number, ms: number): Promise<Echoes> {
  const open = await Promise.all(Array.from({ length: sockets }, () => openSocket(address, path)))
  const deadline = performance.now() + ms
  const latenciesMs: number[] = []
  await Promise.all(open.map((socket) => talk(socket, deadline, latenciesMs)))
  for (const socket of open) socket.destroy()
  return { count: latenciesMs.length, latenciesMs }
}

/** Written by hand: a client library would take more CPU time than the proxies under test. */
async function openSocket(address: string, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const key = randomBytes(16).toString('base64')
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`)
  const [response] = await once(socket, 'data')
  if (!/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n$/.test(String(response))) throw new Error(`not upgraded: ${response}`)
  return socket
}

function talk(socket: Socket, deadline: number, latenciesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0
    let sentAt = 0
    const sendFrame = (now: number) => {
      missing = echoedBytes
      sentAt = now
      socket.write(frame)
    }
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('the socket was closed during a round')))
    socket.on('data', (chunk) => {
      missing -= chunk.length
      if (missing > 0) return
      const now = performance.now()
      latenciesMs.push(now - sentAt)
      if (now < deadline) sendFrame(now)
      else resolve()
    })
    sendFrame(performance.now())
  })
}

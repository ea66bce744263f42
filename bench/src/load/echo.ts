import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Echoes {
  count: number
  latenciesMs: number[]
}

const payloadBytes = 100
/** Masked as a client's must be; the answer is not, so its head is four bytes shorter. */
const frame = Buffer.concat([
  Buffer.from([0x82, 0x80 | payloadBytes, 0, 0, 0, 0]),
  Buffer.alloc(payloadBytes, 'x'),
])
const answerBytes = 2 + payloadBytes

/** Each socket says something, waits until it hears it, and says it again. */
export async function echo(address: string, path: string, sockets: number, ms: number): Promise<Echoes> {
  const open = await Promise.all(Array.from({ length: sockets }, () => openSocket(address, path)))
  const deadline = performance.now() + ms
  const latenciesMs: number[] = []
  await Promise.all(open.map((socket) => talk(socket, deadline, latenciesMs)))
  for (const socket of open) socket.destroy()
  return { count: latenciesMs.length, latenciesMs }
}

/** By hand: a client library would take more of the machine than the proxies under test. */
async function openSocket(address: string, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const key = randomBytes(16).toString('base64')
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  if (!/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n$/.test(String(answer))) throw new Error(`no socket: ${answer}`)
  return socket
}

function talk(socket: Socket, deadline: number, latenciesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = 0
    let sentAt = 0
    const say = (now: number) => {
      missing = answerBytes
      sentAt = now
      socket.write(frame)
    }
    socket.once('error', reject)
    socket.once('end', () => reject(new Error('the socket was closed in the middle of a round')))
    socket.on('data', (chunk) => {
      missing -= chunk.length
      if (missing > 0) return
      const now = performance.now()
      latenciesMs.push(now - sentAt)
      if (now < deadline) say(now)
      else resolve()
    })
    say(performance.now())
  })
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface HttpResponse {
  status: number
  body: Buffer
}

const headEnd = '\r\n\r\n'
const lengthHeader = /\r\ncontent-length: *(\d+)/i

/**
 * One keep-alive connection, one request at a time. Node's own client would take as much CPU time as the servers under
 * test, and both share the machine. So requests are prepared as bytes, and only the status and length of a response are
 * read.
 */
export async function openConnection(address: string, onResponse: (response: HttpResponse) => void) {
  const { hostname, port } = new URL(address)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const response = readResponse(received)
    if (!response) return
    received = Buffer.alloc(0)
    onResponse(response)
  })
  return {
    send: (request: Buffer): void => void socket.write(request),
    close: (): void => void socket.destroy(),
    /** Rejects when the server closes the connection, which must not happen during a round. */
    broken: new Promise<never>((_, reject) => {
      socket.once('error', reject)
      socket.once('end', () => reject(new Error('the server closed the connection')))
    }),
  }
}

function readResponse(received: Buffer): HttpResponse | undefined {
  const end = received.indexOf(headEnd)
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const length = lengthHeader.exec(head)?.[1]
  if (length === undefined) throw new Error(`a response without Content-Length: ${head}`)
  const bodyStart = end + headEnd.length
  const bodyEnd = bodyStart + Number(length)
  if (received.length < bodyEnd) return undefined
  return { status: Number(head.slice(9, 12)), body: received.subarray(bodyStart, bodyEnd) }
}

export function requestBytes(
  { method, path, address }: { method: string; path: string; address: string },
  headers: Record<string, string>,
  body: string | undefined,
): Buffer {
  const bodyHeaders =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const all = { host: new URL(address).host, 'user-agent': 'atrium-bench/1.0', ...bodyHeaders, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

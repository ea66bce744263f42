import { connect, type Socket } from 'node:net'
import { type ApiResponse, waitUntil } from '@atrium/testkit'

/** Raw HTTP, for requests that no client would send. */
export interface RawConnection {
  readonly socket: Socket
  write(bytes: string | Buffer): void
  /** The responses so far, once there are `count` of them or the connection is closed. */
  answers(count?: number): Promise<ApiResponse[]>
}

export function openRaw(address: string): RawConnection {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  let received = Buffer.alloc(0)
  let isClosed = false
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
  })
  // The server may reset the connection; what it sent before counts.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  return {
    socket,
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    async answers(count = 1) {
      await waitUntil(() => {
        const { length } = parseAnswers(received)
        return isClosed || length >= count || `${length} of ${count} answers`
      })
      return parseAnswers(received)
    },
  }
}

/** Sends one request unchanged and returns the first response. */
export async function sendRaw(address: string, bytes: string | Buffer): Promise<ApiResponse> {
  const connection = openRaw(address)
  connection.write(bytes)
  const [answer] = await connection.answers()
  connection.socket.destroy()
  if (!answer) throw new Error('the connection was closed without an answer')
  return answer
}

export const requestText = (line: string, headers: readonly string[], body = ''): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', 'User-Agent: atrium-test/1.0', ...headers].join('\r\n')}\r\n\r\n${body}`

function parseAnswers(received: Buffer): ApiResponse[] {
  const answers: ApiResponse[] = []
  let rest = received
  while (true) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const headers = new Headers(lines.map((line): [string, string] => splitHeader(line)))
    const length = Number(headers.get('content-length') ?? 0)
    const from = end + 4
    if (rest.length < from + length) return answers
    const text = rest.toString('utf8', from, from + length)
    const body: unknown = headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : undefined
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, text, body })
    rest = rest.subarray(from + length)
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from '../limits.ts'
import { Line } from './line.ts'

export interface OpenLine {
  answer: IncomingMessage
  line: Line
  head: Buffer
}

export type HandshakeAnswer =
  | ({ kind: 'open' } & OpenLine)
  /** Anything but 101; the body is still to be read. */
  | { kind: 'refused'; answer: IncomingMessage }
  | { kind: 'failed'; error: Error & { code?: string } }

interface Handshake {
  origin: string
  path: string
  headers: string[]
  client: Socket
}

/** Asks a backend to open a socket, on a connection that becomes the socket. */
export function createShakeHands({ connectMs, upgradeMs }: Pick<Limits, 'connectMs' | 'upgradeMs'>) {
  const buffer = Buffer.alloc(65_536)

  return ({ origin, path, headers, client }: Handshake): Promise<HandshakeAnswer> =>
    new Promise((resolve) => {
      // Whoever has ended before the answer does not want it. The end may have come while the room was looked up.
      if (client.readableEnded) client.destroy()
      const { hostname, port } = new URL(origin)
      // IPv6 addresses stand in brackets in a URL, and only there.
      const line = new Line(hostname.replace(/^\[(.*)\]$/, '$1'), Number(port || 80), buffer)
      const leave = () => client.destroy()
      const hangUp = () => line.destroy()
      let timer = setTimeout(() => line.destroy(timeOut('CONNECT_TIMEOUT')), connectMs)
      line.onConnect(() => {
        clearTimeout(timer)
        timer = setTimeout(() => line.destroy(timeOut('UPGRADE_TIMEOUT')), upgradeMs)
      })
      const settle = (answer: HandshakeAnswer) => {
        clearTimeout(timer)
        client.off('end', leave).off('close', hangUp)
        if (answer.kind === 'failed') line.destroy()
        resolve(answer)
      }
      client.once('end', leave).once('close', hangUp)
      try {
        const asked = ask(line, path, headers)
        asked.once('upgrade', (answer, _line, head) => settle({ kind: 'open', answer, line, head }))
        asked.once('response', (answer) => settle({ kind: 'refused', answer }))
        asked.on('error', (error) => settle({ kind: 'failed', error }))
      } catch (error) {
        settle({ kind: 'failed', error: error as Error }) // Node refuses a malformed address by throwing.
      }
    })
}

function ask(line: Line, path: string, headers: string[]): ClientRequest {
  const withUpgrade = [...headers, 'connection', 'Upgrade', 'upgrade', 'websocket']
  const asked = startRequest({ path, headers: withUpgrade, setHost: false, createConnection: () => line })
  asked.end()
  return asked
}

const timeOut = (code: string): Error => Object.assign(new Error('no answer in time'), { code })

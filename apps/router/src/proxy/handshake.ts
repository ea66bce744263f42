import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { socketAddressOf } from '../directory/origin.ts'
import type { Limits } from '../limits.ts'
import type { AnswerHead } from '../upstream/answer-head.ts'
import { Connection } from '../upstream/connection.ts'
import { Relay } from './relay.ts'

export type HandshakeOutcome =
  | { kind: 'open' }
  /** Anything but 101, which the client was told. */
  | { kind: 'refused' }
  | { kind: 'failed'; error: Error & { code?: string } }

interface Handshake {
  origin: string
  path: string
  /** As lines of text. */
  headers: string
  client: Socket
  /** HTTP is left: from now on the connection is a socket, and who opens it has to listen at once. */
  open(head: AnswerHead, surplus: Buffer, connection: Connection): void
  /** For any other answer. */
  answer(): ServerResponse
}

/** Asks a backend to open a socket, on a connection that becomes the socket. */
export function createShakeHands({ connectMs, upgradeMs }: Pick<Limits, 'connectMs' | 'upgradeMs'>) {
  const readBuffer = Buffer.alloc(65_536)
  const limits = { connectMs, answerMs: upgradeMs }

  return ({ origin, path, headers, client, open, answer }: Handshake): Promise<HandshakeOutcome> =>
    new Promise((resolve) => {
      // Whoever has ended before the answer does not want it. The end may have come while the room was looked up.
      if (client.readableEnded) client.destroy()
      const connection = new Connection({ address: socketAddressOf(origin), limits, readBuffer })
      const leave = () => client.destroy()
      const hangUp = () => connection.destroy()
      client.once('end', leave).once('close', hangUp)
      const settle = (outcome: HandshakeOutcome) => {
        client.off('end', leave).off('close', hangUp)
        resolve(outcome)
      }
      let relay: Relay | undefined
      const head = `GET ${path} HTTP/1.1\r\n${headers}connection: Upgrade\r\nupgrade: websocket\r\n\r\n`
      connection.ask(
        { method: 'GET', head },
        {
          onSwitch: (answerHead, surplus) => {
            settle({ kind: 'open' })
            open(answerHead, surplus, connection)
          },
          onHead: (answerHead) => {
            settle({ kind: 'refused' })
            relay = new Relay(answer(), () => undefined)
            relay.from(connection)
            relay.onHead(answerHead)
          },
          onBody: (bytes) => relay?.onBody(bytes),
          onEnd: () => relay?.onEnd(),
          onFailed: (failure) => {
            settle({ kind: 'failed', error: failure.error })
            relay?.onFailed(failure)
          },
        },
      )
    })
}

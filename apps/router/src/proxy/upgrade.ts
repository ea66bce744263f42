import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Refusal, refuse } from '../answer.ts'
import type { Limits } from '../limits.ts'
import type { Metrics, UpgradeOutcome } from '../metrics.ts'
import type { AnswerHead } from '../upstream/answer-head.ts'
import type { Connection } from '../upstream/connection.ts'
import { refusalFor } from './failure.ts'
import { createShakeHands } from './handshake.ts'
import { splice } from './splice.ts'

/** A request to become a socket. */
export interface Crossing {
  request: IncomingMessage
  client: Socket
  /** What the client said after the head of its request, without waiting for the answer. */
  head: Buffer
  path: string
  /** Undefined when it belongs to no room. */
  roomId: string | undefined
  /** As lines of text. */
  headers: string
}

interface UpgradeParts {
  limits: Limits
  metrics: Metrics
  onUnreachable(origin: string, error: Error): void
}

export type Upgrades = ReturnType<typeof createUpgrades>

export function createUpgrades({ limits, metrics, onUnreachable }: UpgradeParts) {
  /** The clients, with where they were brought and why. */
  const open = new Map<Socket, { origin: string; roomId: string | undefined }>()
  const shakeHands = createShakeHands(limits)

  function join(
    { client, head, roomId }: Crossing,
    origin: string,
    answer: { head: AnswerHead; surplus: Buffer; connection: Connection },
  ): void {
    client.write(switchingProtocols(answer.head))
    if (answer.surplus.length > 0) client.write(Buffer.from(answer.surplus))
    open.set(client, { origin, roomId })
    metrics.socketOpened()
    const backend = splice(client, answer.connection, () => {
      open.delete(client)
      metrics.socketClosed()
    })
    if (head.length > 0) backend.write(head)
  }

  /** The first origin that answers at all decides. */
  async function pass(crossing: Crossing, origins: readonly string[]): Promise<UpgradeOutcome> {
    const { client, request, path, headers } = crossing
    let refusal: Refusal = { code: 'UNAVAILABLE' }
    for (const origin of origins) {
      const outcome = await shakeHands({
        ...{ origin, path, headers, client },
        open: (answerHead, surplus, connection) =>
          join(crossing, origin, { head: answerHead, surplus, connection }),
        answer: () => answerOn(request, client),
      })
      if (outcome.kind !== 'failed') return outcome.kind
      if (client.destroyed) return 'aborted'
      refusal = refusalFor(outcome.error)
      if (refusal.code !== 'BAD_GATEWAY') break
      onUnreachable(origin, outcome.error)
    }
    refuse(answerOn(request, client), path, refusal)
    return 'failed'
  }

  return {
    pass: async (crossing: Crossing, origins: readonly string[]): Promise<void> =>
      metrics.upgrade(await pass(crossing, origins)),
    refuse({ request, client, path }: Crossing, refusal: Refusal): void {
      metrics.upgrade('failed')
      refuse(answerOn(request, client), path, refusal)
    },
    closeAll(): void {
      for (const client of open.keys()) client.destroy()
    },
    /** Whoever was brought elsewhere is let go: a pod that hangs keeps its sockets open and never says a word. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [client, { origin }] of open) if (!origins.has(origin)) client.destroy()
    },
    hasRoom: (roomId: string): boolean => [...open.values()].some((brought) => brought.roomId === roomId),
    /** The room is there now, and its sockets with whoever had it are of no use. */
    moveRoom(roomId: string, origin: string): void {
      for (const [client, brought] of open)
        if (brought.roomId === roomId && brought.origin !== origin) client.destroy()
    },
  }
}

function switchingProtocols({ headers }: AnswerHead): string {
  const lines = headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`))
  const switched = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  return `HTTP/1.1 101 ${STATUS_CODES[101]}\r\n${lines.join('')}${switched}\r\n`
}

/** Node gives no response object for an upgrade; this one ends with its connection. */
function answerOn(request: IncomingMessage, client: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(client)
  response.on('finish', () => client.destroySoon())
  return response
}

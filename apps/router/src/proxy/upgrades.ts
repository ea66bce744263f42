import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { lastResponseOn, type Refusal, refuse } from '../http/response.ts'
import type { Limits } from '../limits/limits.ts'
import type { Metrics, UpgradeOutcome } from '../metrics.ts'
import { refusalFor } from './failure.ts'
import { createShakeHands } from './handshake.ts'
import { tunnel } from './tunnel.ts'

/** A request to become a socket. */
export interface UpgradeRequest {
  request: IncomingMessage
  client: Socket
  /** What the client said after the head of its request, without waiting for the answer. */
  head: Buffer
  path: string
  /** Undefined when it belongs to no room. */
  roomId: string | undefined
  headers: string[]
}

interface UpgradeDeps {
  limits: Limits
  metrics: Metrics
  onUnreachable(origin: string, error: Error): void
}

/** Where the socket of a client leads, and for which room. */
interface Tunnel {
  origin: string
  roomId: string | undefined
}

export type Upgrades = ReturnType<typeof createUpgrades>

const busy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'The instance has too many sockets. Try again shortly.',
}

export function createUpgrades({ limits, metrics, onUnreachable }: UpgradeDeps) {
  const tunnels = new Map<Socket, Tunnel>()
  /** For each backend, from the handshake to the end of the socket. */
  const socketsOf = new Map<string, number>()
  const shakeHands = createShakeHands(limits)

  function countSocket(origin: string, change: 1 | -1): void {
    const count = (socketsOf.get(origin) ?? 0) + change
    if (count > 0) socketsOf.set(origin, count)
    else socketsOf.delete(origin)
  }

  function openTunnel(
    { request, client, head, roomId }: UpgradeRequest,
    origin: string,
    { headers, backend }: { headers: string[]; backend: Socket },
  ): void {
    switchProtocols(request, client, headers)
    tunnels.set(client, { origin, roomId })
    metrics.socketOpened()
    if (head.length > 0) backend.write(head)
    tunnel(client, backend, () => {
      tunnels.delete(client)
      countSocket(origin, -1)
      metrics.socketClosed()
    })
  }

  /** The first origin that answers at all decides. */
  async function pass(upgrade: UpgradeRequest, origins: readonly string[]): Promise<UpgradeOutcome> {
    const { client, request, path, headers } = upgrade
    let refusal: Refusal = { code: 'UNAVAILABLE' }
    for (const origin of origins) {
      if ((socketsOf.get(origin) ?? 0) >= limits.socketsPerBackend) {
        refusal = busy
        continue
      }
      countSocket(origin, 1)
      const outcome = await shakeHands({
        origin,
        path,
        headers,
        client,
        open: (answered, backend) => openTunnel(upgrade, origin, { headers: answered, backend }),
        answer: () => lastResponseOn(request, client),
      })
      if (outcome.kind !== 'open') countSocket(origin, -1)
      if (outcome.kind !== 'failed') return outcome.kind
      if (client.destroyed) return 'aborted'
      refusal = refusalFor(outcome.error)
      if (refusal.code !== 'BAD_GATEWAY') break
      onUnreachable(origin, outcome.error)
    }
    refuse(lastResponseOn(request, client), path, refusal)
    return 'failed'
  }

  return {
    pass: async (upgrade: UpgradeRequest, origins: readonly string[]): Promise<void> =>
      metrics.upgrade(await pass(upgrade, origins)),
    refuse(
      { request, client, path }: Pick<UpgradeRequest, 'request' | 'client' | 'path'>,
      refusal: Refusal,
    ): void {
      metrics.upgrade('failed')
      refuse(lastResponseOn(request, client), path, refusal)
    },
    closeAll(): void {
      for (const client of tunnels.keys()) client.destroy()
    },
    /** Sockets to any other backend are closed: a pod that hangs keeps its own open and never says a word. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [client, { origin }] of tunnels) if (!origins.has(origin)) client.destroy()
    },
    hasRoom: (roomId: string): boolean => [...tunnels.values()].some((one) => one.roomId === roomId),
    /** The room is at this origin now, and its sockets elsewhere are of no use. */
    moveRoom(roomId: string, origin: string): void {
      for (const [client, one] of tunnels)
        if (one.roomId === roomId && one.origin !== origin) client.destroy()
    },
  }
}

function switchProtocols(request: IncomingMessage, client: Socket, headers: string[]): void {
  const response = new ServerResponse(request)
  response.sendDate = false
  response.assignSocket(client)
  response.writeHead(101, [...headers, 'Connection', 'Upgrade', 'Upgrade', 'websocket'])
  response.flushHeaders()
  response.detachSocket(client)
}

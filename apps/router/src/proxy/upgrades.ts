import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { requestIdOf } from '../http/headers.ts'
import { closingResponse, type Refusal, refuse } from '../http/response.ts'
import type { Limits } from '../limits/limits.ts'
import type { Metrics, UpgradeOutcome } from '../metrics.ts'
import { createHandshake } from './handshake.ts'
import { refusalFor } from './response-relay.ts'
import { openTunnel } from './tunnel.ts'

export interface UpgradeRequest {
  request: IncomingMessage
  client: Socket
  /** What the client sent after the head of its request without waiting for the response. */
  head: Buffer
  path: string
  /** Undefined for a socket without a room. */
  roomId: string | undefined
  headers: string[]
}

interface UpgradeDeps {
  limits: Limits
  metrics: Metrics
  onUnreachable(origin: string, error: Error, reqId: string): void
}

/** Where a client's socket leads, and for which room. */
interface Tunnel {
  origin: string
  roomId: string | undefined
}

export type Upgrades = ReturnType<typeof createUpgrades>

const backendBusy: Refusal = {
  code: 'UNAVAILABLE',
  message: 'The instance has too many open sockets. Try again shortly.',
}

export function createUpgrades({ limits, metrics, onUnreachable }: UpgradeDeps) {
  const tunnels = new Map<Socket, Tunnel>()
  /** By backend, from the handshake to the end of the socket. */
  const socketsOf = new Map<string, number>()
  const handshake = createHandshake(limits)

  function countSocket(origin: string, change: 1 | -1): void {
    const count = (socketsOf.get(origin) ?? 0) + change
    if (count > 0) socketsOf.set(origin, count)
    else socketsOf.delete(origin)
  }

  function startTunnel(
    { request, client, head, roomId }: UpgradeRequest,
    origin: string,
    { headers, backend }: { headers: string[]; backend: Socket },
  ): void {
    switchProtocols(request, client, headers)
    tunnels.set(client, { origin, roomId })
    metrics.socketOpened()
    if (head.length > 0) backend.write(head)
    openTunnel(client, backend, () => {
      tunnels.delete(client)
      countSocket(origin, -1)
      metrics.socketClosed()
    })
  }

  /** The first origin that responds at all decides. */
  async function forward(upgrade: UpgradeRequest, origins: readonly string[]): Promise<UpgradeOutcome> {
    const { client, request, path, headers } = upgrade
    let refusal: Refusal = { code: 'UNAVAILABLE' }
    for (const origin of origins) {
      if ((socketsOf.get(origin) ?? 0) >= limits.socketsPerBackend) {
        refusal = backendBusy
        continue
      }
      countSocket(origin, 1)
      const outcome = await handshake({
        origin,
        path,
        headers,
        client,
        onOpen: (responded, backend) => startTunnel(upgrade, origin, { headers: responded, backend }),
        createResponse: () => closingResponse(request, client),
      })
      if (outcome.kind !== 'open') countSocket(origin, -1)
      if (outcome.kind !== 'failed') return outcome.kind
      if (client.destroyed) return 'aborted'
      refusal = refusalFor(outcome.error)
      if (refusal.code !== 'BAD_GATEWAY') break
      onUnreachable(origin, outcome.error, requestIdOf(request))
    }
    refuse(closingResponse(request, client), path, refusal)
    return 'failed'
  }

  return {
    forward: async (upgrade: UpgradeRequest, origins: readonly string[]): Promise<void> =>
      metrics.upgrade(await forward(upgrade, origins)),
    refuse(
      { request, client, path }: Pick<UpgradeRequest, 'request' | 'client' | 'path'>,
      refusal: Refusal,
    ): void {
      metrics.upgrade('failed')
      refuse(closingResponse(request, client), path, refusal)
    },
    closeAll(): void {
      for (const client of tunnels.keys()) client.destroy()
    },
    /** Closes sockets to all other backends: an instance that hangs keeps its sockets open in silence. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [client, { origin }] of tunnels) if (!origins.has(origin)) client.destroy()
    },
    hasRoom: (roomId: string): boolean => [...tunnels.values()].some((tunnel) => tunnel.roomId === roomId),
    /** Closes the room's sockets to other origins, where it no longer is. */
    moveRoom(roomId: string, origin: string): void {
      for (const [client, tunnel] of tunnels)
        if (tunnel.roomId === roomId && tunnel.origin !== origin) client.destroy()
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

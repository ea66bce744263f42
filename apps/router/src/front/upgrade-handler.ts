import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientAddressOf } from '../http/client-address.ts'
import { framingFault, originForm } from '../http/framing.ts'
import { requestHeaders } from '../http/headers.ts'
import type { Pipelines } from '../http/pipeline.ts'
import { badRequest } from '../http/response.ts'
import type { AddressLimiter } from '../limits/limiter.ts'
import type { Upgrades } from '../proxy/upgrades.ts'
import { destinationOf } from '../routing/destination.ts'
import type { Routing } from '../routing/routing.ts'
import { addressBusy, stopping } from './request-handler.ts'

export interface UpgradeHandlerDeps {
  routing: Routing
  upgrades: Upgrades
  clientAddressOf: ClientAddressOf
  addressLimiter: AddressLimiter
  pipelines: Pipelines
  isStopping(): boolean
}

/** The only path that can be upgraded. */
const socketPath = /^\/socket\.io\/(?:\?|$)/

export function createUpgradeHandler(deps: UpgradeHandlerDeps) {
  const { routing, upgrades, clientAddressOf, addressLimiter, pipelines } = deps

  return async (request: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    // Node no longer handles errors of this socket. The close that follows an error is what we act upon.
    client.on('error', () => undefined)
    client.setTimeout(0)
    // The response to an earlier request is still pending and would arrive in the middle of the socket's frames.
    if (pipelines.isBusy(client)) return void client.destroy()
    const path = originForm(request.url ?? '') ?? ''
    const fault = framingFault(request)
    if (fault !== undefined) return upgrades.refuse({ request, client, path }, badRequest(fault))
    if (!socketPath.test(path)) return upgrades.refuse({ request, client, path }, { code: 'NOT_FOUND' })
    if (deps.isStopping()) return upgrades.refuse({ request, client, path }, stopping)
    const sender = clientAddressOf(request)
    const admitted = addressLimiter.acquire(sender.network, client)
    if (admitted !== true && !(await admitted)) return upgrades.refuse({ request, client, path }, addressBusy)
    try {
      const destination = destinationOf(path)
      const room = destination.kind === 'room' ? destination : undefined
      const upgrade = {
        request,
        client,
        head,
        path,
        roomId: room?.roomId,
        headers: requestHeaders(request, sender),
      }
      const route = await routing.routeTo(room ?? { kind: 'backend' }, false)
      if (route.kind === 'forward') return await upgrades.forward(upgrade, route.origins)
      const reason = route.kind === 'unavailable' ? { message: route.message } : {}
      upgrades.refuse(upgrade, { code: 'UNAVAILABLE', ...reason })
    } finally {
      addressLimiter.release(sender.network)
    }
  }
}

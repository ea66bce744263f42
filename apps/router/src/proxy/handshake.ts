import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type Dispatcher } from 'undici'
import { responseHeaders } from '../http/headers.ts'
import type { Limits } from '../limits/limits.ts'
import { ResponseRelay } from './response-relay.ts'

export type HandshakeOutcome =
  | { kind: 'open' }
  /** The backend responded with something other than 101, which was relayed to the client. */
  | { kind: 'refused' }
  | { kind: 'failed'; error: Error & { code?: string } }

interface Handshake {
  origin: string
  path: string
  headers: string[]
  client: Socket
  /** The backend switched protocols; its connection is now a socket. */
  onOpen(headers: string[], backend: Socket): void
  /** The response through which to relay anything else. */
  createResponse(): ServerResponse
}

type Controller = Dispatcher.DispatchController

/** Sends an upgrade request to a backend, on a connection that becomes the socket. */
export function createHandshake({ connectTimeoutMs, upgradeTimeoutMs, responseTimeoutMs }: Limits) {
  const options: Client.Options = {
    connect: { timeout: connectTimeoutMs, noDelay: true },
    headersTimeout: upgradeTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  }

  return ({ origin, path, headers, client, onOpen, createResponse }: Handshake): Promise<HandshakeOutcome> =>
    new Promise((resolve) => {
      // A client that has ended does not want the response. It may have ended while the room was being looked up.
      if (client.readableEnded) client.destroy()
      const backend = new Client(origin, options)
      const onEnd = () => client.destroy()
      const abort = () => void backend.destroy(new Error('the client left'))
      client.once('end', onEnd).once('close', abort)
      const finish = (outcome: HandshakeOutcome) => {
        client.off('end', onEnd).off('close', abort)
        resolve(outcome)
      }
      const onRefused = (controller: Controller) => {
        finish({ kind: 'refused' })
        const relay = new ResponseRelay(createResponse(), () => void backend.close())
        relay.onRequestStart(controller)
        return relay
      }
      const onUpgraded = (responded: string[], socket: Socket) => {
        finish({ kind: 'open' })
        onOpen(responded, socket)
      }
      const onFailed = (error: Error) => {
        finish({ kind: 'failed', error })
        void backend.destroy()
      }
      const handler = new HandshakeHandler({ onRefused, onUpgraded, onFailed })
      backend.dispatch({ method: 'GET', path, headers, upgrade: 'websocket' }, handler)
      if (client.destroyed) abort()
    })
}

interface HandshakeEvents {
  /** For any response other than 101. Returns what relays it. */
  onRefused(controller: Controller): ResponseRelay
  onUpgraded(headers: string[], socket: Socket): void
  onFailed(error: Error): void
}

/** Calls exactly one of its callbacks. */
class HandshakeHandler implements Dispatcher.DispatchHandler {
  readonly #events: HandshakeEvents
  #relay: ResponseRelay | undefined

  constructor(events: HandshakeEvents) {
    this.#events = events
  }

  onRequestStart(): void {}

  onRequestUpgrade(
    { rawHeaders }: Controller,
    _status: number,
    headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    if (socket instanceof Socket && headers.upgrade?.toLowerCase() === 'websocket')
      this.#events.onUpgraded(responseHeaders(Array.isArray(rawHeaders) ? rawHeaders : []), socket)
    else {
      socket.on('error', () => undefined).destroy()
      this.#events.onFailed(new Error('the backend switched to another protocol'))
    }
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    if (status < 200) return
    this.#relay = this.#events.onRefused(controller)
    this.#relay.onResponseStart(controller, status, headers, statusText)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#relay?.onResponseData(controller, chunk)
  }

  onResponseEnd(): void {
    this.#relay?.onResponseEnd()
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.#relay) this.#relay.onResponseError(controller, error)
    else this.#events.onFailed(error)
  }
}

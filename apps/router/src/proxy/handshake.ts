import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type Dispatcher } from 'undici'
import { answerHeaders } from '../http/headers.ts'
import type { Limits } from '../limits/limits.ts'
import { Relay } from './response-relay.ts'

export type HandshakeOutcome =
  | { kind: 'open' }
  /** Anything but 101, which the client was told. */
  | { kind: 'refused' }
  | { kind: 'failed'; error: Error & { code?: string } }

interface Handshake {
  origin: string
  path: string
  headers: string[]
  client: Socket
  /** HTTP is left: from now on the connection to the backend is a socket. */
  open(headers: string[], backend: Socket): void
  /** For any other answer. */
  answer(): ServerResponse
}

type Controller = Dispatcher.DispatchController

/** Asks a backend to open a socket, on a connection that becomes the socket. */
export function createShakeHands({ connectMs, upgradeMs, answerMs }: Limits) {
  const options: Client.Options = {
    connect: { timeout: connectMs, noDelay: true },
    headersTimeout: upgradeMs,
    bodyTimeout: answerMs,
  }

  return ({ origin, path, headers, client, open, answer }: Handshake): Promise<HandshakeOutcome> =>
    new Promise((resolve) => {
      // Whoever has ended before the answer does not want it. The end may have come while the room was looked up.
      if (client.readableEnded) client.destroy()
      const backend = new Client(origin, options)
      const leave = () => client.destroy()
      const hangUp = () => void backend.destroy(new Error('the client left'))
      client.once('end', leave).once('close', hangUp)
      const settle = (outcome: HandshakeOutcome) => {
        client.off('end', leave).off('close', hangUp)
        resolve(outcome)
      }
      const onAnswer = (controller: Controller) => {
        settle({ kind: 'refused' })
        const relay = new Relay(answer(), () => void backend.close())
        relay.onRequestStart(controller)
        return relay
      }
      const onOpen = (rawHeaders: string[], socket: Socket) => {
        settle({ kind: 'open' })
        open(rawHeaders, socket)
      }
      const onFailed = (error: Error) => {
        settle({ kind: 'failed', error })
        void backend.destroy()
      }
      const handler = new HandshakeHandler({ onAnswer, onOpen, onFailed })
      backend.dispatch({ method: 'GET', path, headers, upgrade: 'websocket' }, handler)
      if (client.destroyed) hangUp()
    })
}

interface HandshakeEvents {
  /** Anything but 101: whoever relays it. */
  onAnswer(controller: Controller): Relay
  onOpen(headers: string[], socket: Socket): void
  onFailed(error: Error): void
}

/** Calls exactly one of its events. */
class HandshakeHandler implements Dispatcher.DispatchHandler {
  readonly #events: HandshakeEvents
  #relay: Relay | undefined

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
      this.#events.onOpen(answerHeaders(Array.isArray(rawHeaders) ? rawHeaders : []), socket)
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
    this.#relay = this.#events.onAnswer(controller)
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

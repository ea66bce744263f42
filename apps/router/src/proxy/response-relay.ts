import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { responseHeaders } from '../http/headers.ts'
import { badRequest, endWhenRequestEnds, type Refusal } from '../http/response.ts'

export interface Failure {
  error: Error & { code?: string }
  /** Whether the backend may have received part of the request and acted on it. */
  wasSent: boolean
}

type OnDone = (failure: Failure | undefined, isComplete: boolean) => void
type Controller = Dispatcher.DispatchController

/** A body up to this size that arrives in one piece is held until the response is known to be complete. */
const maxHeldBytes = 16_384

/**
 * Relays a backend's response to the client. A class because there is one for every request. Calls `onDone` once, when
 * the backend has nothing more to send: with the failure if the client has received nothing and is still waiting.
 */
export class ResponseRelay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #onDone: OnDone
  #controller: Controller | undefined
  #length = Number.NaN
  #held: string | undefined
  #isPaused = false

  /** `isComplete`: the response ended properly, so its connection can be used again. */
  constructor(response: ServerResponse, onDone: OnDone) {
    this.#response = response
    this.#onDone = onDone
    response.on('close', this.#onClose)
  }

  /** The client has its response, or left without one. */
  #onClose = (): void => this.#controller?.abort(new Error('the client left'))
  #onDrain = (): void => {
    this.#isPaused = false
    this.#controller?.resume()
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#response.destroyed) controller.abort(new Error('the client left'))
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    if (status < 200) return
    // The request turned out to be malformed and has already been refused.
    if (this.#response.headersSent) {
      controller.abort(new Error('the request was refused'))
      return
    }
    this.#length = Number(headers['content-length'])
    const { rawHeaders } = controller
    this.#response.writeHead(
      status,
      statusText ?? '',
      responseHeaders(Array.isArray(rawHeaders) ? rawHeaders : []),
    )
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (chunk.length === this.#length && chunk.length <= maxHeldBytes) this.#held = chunk.toString('latin1')
    else if (!this.#response.write(chunk)) this.#pause()
  }

  /** Listens for `drain` once, although chunks that were already read may still follow. */
  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#controller?.pause()
    this.#response.once('drain', this.#onDrain)
  }

  onResponseEnd(): void {
    this.#controller = undefined
    endWhenRequestEnds(this.#response, this.#held)
    this.#onDone(undefined, true)
  }

  onResponseError(_controller: Controller, error: Error): void {
    const wasSent = this.#controller !== undefined
    this.#controller = undefined
    const response = this.#response
    response.off('close', this.#onClose)
    const isUntouched = !response.headersSent && !response.destroyed
    if (!isUntouched) response.destroy()
    this.#onDone(isUntouched ? { error, wasSent } : undefined, false)
  }
}

/** What the client is told when its request cannot be forwarded. */
export function refusalFor({ code }: Error & { code?: string }): Refusal {
  switch (code) {
    case 'UND_ERR_INVALID_ARG':
      return badRequest('cannot be forwarded: its target or a header is malformed')
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { code: 'GATEWAY_TIMEOUT' }
    default:
      return { code: 'BAD_GATEWAY' }
  }
}

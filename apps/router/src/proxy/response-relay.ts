import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { answerHeaders } from '../http/headers.ts'
import { endAfterRequest } from '../http/linger.ts'

export interface Failure {
  error: Error & { code?: string }
  /** The backend may have got some of the request, and acted upon it. */
  wasSent: boolean
}

type Controller = Dispatcher.DispatchController

/** An answer that comes in one piece and is not larger is held until it is known to be all. */
const heldBytes = 16_384

/**
 * The answer on its way from the backend to the client; a class, because there is one for every request. Settles once,
 * when the backend has nothing more to say: with the failure if the client has been told nothing and still waits.
 */
export class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #settle: (failure: Failure | undefined, isOver: boolean) => void
  #controller: Controller | undefined
  #length = Number.NaN
  #held: string | undefined
  #isHeldUp = false

  /** `isOver`: the answer came to its end, so that the connection may be used again. */
  constructor(response: ServerResponse, settle: (failure: Failure | undefined, isOver: boolean) => void) {
    this.#response = response
    this.#settle = settle
    response.on('close', this.#onClose)
  }

  /** The client has its answer, or has left without one. */
  #onClose = (): void => this.#controller?.abort(new Error('the client left'))
  #onDrain = (): void => {
    this.#isHeldUp = false
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
    // Its request turned out to be malformed, and that has been said.
    if (this.#response.headersSent) {
      controller.abort(new Error('the request was refused'))
      return
    }
    this.#length = Number(headers['content-length'])
    const { rawHeaders } = controller
    this.#response.writeHead(
      status,
      statusText ?? '',
      answerHeaders(Array.isArray(rawHeaders) ? rawHeaders : []),
    )
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (chunk.length === this.#length && chunk.length <= heldBytes) this.#held = chunk.toString('latin1')
    else if (!this.#response.write(chunk)) this.#holdUp()
  }

  /** Once, though what has been read already may bring several pieces more. */
  #holdUp(): void {
    if (this.#isHeldUp) return
    this.#isHeldUp = true
    this.#controller?.pause()
    this.#response.once('drain', this.#onDrain)
  }

  onResponseEnd(): void {
    this.#controller = undefined
    endAfterRequest(this.#response, this.#held)
    this.#settle(undefined, true)
  }

  onResponseError(_controller: Controller, error: Error): void {
    const wasSent = this.#controller !== undefined
    this.#controller = undefined
    const response = this.#response
    response.off('close', this.#onClose)
    const isUntouched = !response.headersSent && !response.destroyed
    if (!isUntouched) response.destroy()
    this.#settle(isUntouched ? { error, wasSent } : undefined, false)
  }
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { refuse } from '../answer.ts'
import { endAfterRequest } from '../linger.ts'
import { refusalFor } from './failure.ts'
import { answerHeaders } from './headers.ts'
import type { Pools } from './pools.ts'
import { RequestBody } from './request-body.ts'

/** A request with all that a backend is to get of it. */
export interface Passage {
  request: IncomingMessage
  response: ServerResponse
  path: string
  headers: string[]
  expectsContinue: boolean
}

type Outcome =
  | { kind: 'over' }
  /** `wasSent`: the backend may have got some of it, and acted upon it. */
  | { kind: 'failed'; error: Error & { code?: string }; wasSent: boolean }

export type Forward = ReturnType<typeof createForward>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Passes requests on and answers back, both as streams. */
export function createForward(pools: Pools, onUnreachable: (origin: string, error: Error) => void) {
  return async (passage: Passage, origins: readonly string[]): Promise<void> => {
    const { request, response, path } = passage
    const body = hasBody(request) ? new RequestBody(request) : null
    const isSafe = safeMethods.has(request.method ?? '') && !body
    if (body && passage.expectsContinue) response.writeContinue()
    for (const [attempt, origin] of origins.entries()) {
      const outcome = await send(passage, body, pools.to(origin))
      if (outcome.kind === 'over') return
      const refusal = refusalFor(outcome.error)
      if (refusal.code === 'BAD_GATEWAY') onUnreachable(origin, outcome.error)
      // A slow answer is not asked for twice: the next one would be as slow, and the client has waited enough.
      const mayRepeat = refusal.code === 'BAD_GATEWAY' && (isSafe || !outcome.wasSent)
      const isLast = !mayRepeat || attempt + 1 === origins.length
      if (isLast) return refuse(response, path, refusal)
    }
  }
}

function send({ request, response, path, headers }: Passage, body: RequestBody | null, pool: Dispatcher) {
  return new Promise<Outcome>((resolve) => {
    if (response.destroyed) return resolve({ kind: 'over' })
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    pool.dispatch({ method, path, headers, body }, new Relay(response, resolve))
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** An answer that comes in one piece and is not larger is held until it is known to be all. */
const heldBytes = 16_384

/** The answer on its way from the backend to the client; a class, because there is one for every request. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  readonly #settle: (outcome: Outcome) => void
  #controller: Dispatcher.DispatchController | undefined
  #wasSent = false
  #length = Number.NaN
  #held: Buffer | undefined

  constructor(response: ServerResponse, settle: (outcome: Outcome) => void) {
    this.#response = response
    this.#settle = settle
    response.on('close', this.#onClose)
  }

  /** The client has its answer, or has left without one. */
  #onClose = (): void => {
    if (!this.#response.writableFinished) this.#controller?.abort(new Error('the client left'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#wasSent = true
    if (this.#response.destroyed) controller.abort(new Error('the client left'))
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText?: string,
  ): void {
    if (status < 200) return
    this.#length = Number(headers['content-length'])
    this.#response.writeHead(status, statusText ?? '', answerHeaders(rawHeaders as Buffer[]))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#length && chunk.length <= heldBytes) this.#held = chunk
    else if (!this.#response.write(chunk)) {
      controller.pause()
      this.#response.once('drain', () => controller.resume())
    }
  }

  onResponseEnd(): void {
    endAfterRequest(this.#response, this.#held)
    this.#settle({ kind: 'over' })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const response = this.#response
    response.off('close', this.#onClose)
    const isUntouched = !response.headersSent && !response.destroyed
    if (!isUntouched) response.destroy()
    this.#settle(isUntouched ? { kind: 'failed', error, wasSent: this.#wasSent } : { kind: 'over' })
  }
}

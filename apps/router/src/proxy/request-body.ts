import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** How much of a body arrived before a backend is involved. `aborted`: the client left. */
export type Arrival = 'complete' | 'partial' | 'aborted'

/** Most bodies are smaller. */
const bufferedBytes = 65_536

/**
 * The body of a request as a separate stream. A backend may respond before it has read everything (413), and undici then
 * destroys the stream it was reading. If that were the request itself, Node would close the client's connection before
 * the response is out.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage
  readonly #arrival = Promise.withResolvers<Arrival>()

  constructor(request: IncomingMessage) {
    super({ highWaterMark: bufferedBytes })
    this.#request = request
    request.on('data', (chunk) => {
      if (this.destroyed || this.push(chunk)) return
      request.pause()
      this.#arrival.resolve('partial')
    })
    request.on('end', () => {
      // undici would send a stream that ended before it is read with a length; a chunked body must stay chunked.
      if (this.readableFlowing) this.#end()
      else this.once('resume', () => this.#end())
      this.#arrival.resolve('complete')
    })
    request.on('close', () => {
      if (!request.complete) this.destroy()
      this.#arrival.resolve('aborted')
    })
    request.pause()
  }

  /** Resolves once the first 64 KiB or all of a smaller body has arrived. Until then a slow client occupies no backend. */
  async waitForStart(timeoutMs: number): Promise<Arrival | 'late'> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), timeoutMs)
    this.#request.resume()
    const arrival = await Promise.race([this.#arrival.promise, late.promise])
    clearTimeout(timer)
    return arrival
  }

  #end(): void {
    if (!this.destroyed) this.push(null)
  }

  override _read(): void {
    this.#request.resume()
  }

  /** Drops the rest of the body. Reports no error, because nobody listens any more. */
  override _destroy(_error: Error | null, callback: (error?: null) => void): void {
    this.#request.resume()
    callback(null)
  }
}

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** How much of a body has arrived before a backend is bothered with it: all of it, some of it, or never more than some. */
export type Arrived = 'whole' | 'begun' | 'gone'

/** Most bodies are smaller. */
const gatheredBytes = 65_536

/**
 * The body of a request as a stream of its own. A backend may answer before it has read everything (413), and its
 * connection then ends the stream it was reading: were that the request itself, Node would close the client's
 * connection before the answer is out.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage
  readonly #arrived = Promise.withResolvers<Arrived>()

  constructor(request: IncomingMessage) {
    super({ highWaterMark: gatheredBytes })
    this.#request = request
    request.on('data', (chunk) => {
      if (this.destroyed || this.push(chunk)) return
      request.pause()
      this.#arrived.resolve('begun')
    })
    request.on('end', () => {
      // undici counts a stream that has ended before it is read; but what came in chunks goes on in chunks.
      if (this.readableFlowing) this.#end()
      else this.once('resume', () => this.#end())
      this.#arrived.resolve('whole')
    })
    request.on('close', () => {
      if (!request.complete) this.destroy()
      this.#arrived.resolve('gone')
    })
    request.pause()
  }

  /** Back when the first 64 KiB are there, or all of a smaller body: until then, a slow client costs nobody but itself. */
  async gather(waitMs: number): Promise<Arrived | 'late'> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), waitMs)
    this.#request.resume()
    const arrived = await Promise.race([this.#arrived.promise, late.promise])
    clearTimeout(timer)
    return arrived
  }

  #end(): void {
    if (!this.destroyed) this.push(null)
  }

  override _read(): void {
    this.#request.resume()
  }

  /** What still comes is dropped. Nobody listens for errors any more then, so there are none. */
  override _destroy(_error: Error | null, callback: (error?: null) => void): void {
    this.#request.resume()
    callback(null)
  }
}

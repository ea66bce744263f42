import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * The body of a request as a stream of its own. A backend may answer before it has read everything (413), and its
 * connection then ends the stream it was reading: were that the request itself, Node would close the client's
 * connection before the answer is out.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage

  constructor(request: IncomingMessage) {
    super()
    this.#request = request
    request.on('data', (chunk) => {
      if (!this.destroyed && !this.push(chunk)) request.pause()
    })
    request.on('end', () => {
      if (!this.destroyed) this.push(null)
    })
    request.on('close', () => {
      if (!request.complete) this.destroy()
    })
    request.pause()
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

import type { ServerResponse } from 'node:http'
import { endAfterRequest } from '../linger.ts'
import type { AnswerHead } from '../upstream/answer-head.ts'
import type { Asker, Connection, Failure } from '../upstream/connection.ts'

/** An answer that comes in one piece and is not larger is held until it is known to be all. */
const heldBytes = 16_384

/**
 * The answer on its way from the backend to the client; a class, because there is one for every request. Calls back
 * once: with the failure when nothing was said to the client yet and it still waits, otherwise with none.
 */
export class Relay implements Asker {
  readonly #response: ServerResponse
  readonly #settle: (failure?: Failure) => void
  /** Until the answer is over: then the connection is somebody else's. */
  #connection: Connection | undefined
  #held: string | undefined
  #isHeldUp = false
  #length: AnswerHead['body'] = 0

  constructor(response: ServerResponse, settle: (failure?: Failure) => void) {
    this.#response = response
    this.#settle = settle
    response.on('close', this.#onClose)
  }

  from(connection: Connection): void {
    this.#connection = connection
  }

  /** The client has its answer, or has left without one. */
  #onClose = (): void => this.#connection?.destroy(new Error('the client left'))
  #onDrain = (): void => {
    this.#isHeldUp = false
    this.#connection?.resume()
  }

  /** Once, though a read that has begun may bring several pieces more. */
  #holdUp(): void {
    if (this.#isHeldUp) return
    this.#isHeldUp = true
    this.#connection?.pause()
    this.#response.once('drain', this.#onDrain)
  }

  onHead({ status, reason, headers, body }: AnswerHead): void {
    this.#length = body
    this.#response.writeHead(status, reason, headers)
  }

  onBody(bytes: Buffer): void {
    if (bytes.length === this.#length && bytes.length <= heldBytes) this.#held = bytes.toString('latin1')
    else if (!this.#response.write(Buffer.from(bytes))) this.#holdUp()
  }

  onEnd(): void {
    this.#connection = undefined
    endAfterRequest(this.#response, this.#held)
    this.#settle()
  }

  onFailed(failure: Failure): void {
    this.#connection = undefined
    const response = this.#response
    response.off('close', this.#onClose)
    const isUntouched = !response.headersSent && !response.destroyed
    if (!isUntouched) response.destroy()
    this.#settle(isUntouched ? failure : undefined)
  }
}

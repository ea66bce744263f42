import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { SocketAddress } from '../directory/origin.ts'
import type { Limits } from '../limits.ts'
import { type AnswerListener, AnswerReader } from './answer-reader.ts'
import { sendBody } from './send-body.ts'

export interface Question {
  method: string
  /** The request line and the headers, to the empty line at their end. */
  head: string
  /** The request whose body is to be sent on. */
  bodyOf?: IncomingMessage
}

export interface Failure {
  error: Error & { code?: string }
  /** The backend may have got some of it, and acted upon it. */
  wasSent: boolean
  /** The connection had been kept from an earlier answer: the backend may have closed it as the request came. */
  wasKept: boolean
}

/** Who has asked hears of the answer, and in the end of either its end or a failure, unless HTTP was left. */
export interface Asker extends AnswerListener {
  onEnd(): void
  onFailed(failure: Failure): void
}

/** Takes the bytes at once or copies them: they stand in a buffer that is used again. */
export type Hear = (bytes: Buffer) => boolean

interface ConnectionParts {
  address: SocketAddress
  limits: Pick<Limits, 'connectMs' | 'answerMs'>
  /** All connections read into one buffer: Node would allocate 64 KiB for every read, and most are short. */
  readBuffer: Buffer
  /** It is free for another request; without this it is closed then. */
  onFree?: (connection: Connection) => void
  onClosed?: (connection: Connection) => void
}

/**
 * A connection to a backend: one request at a time. It is written by hand because the router waits for it twice with
 * every request, and because it can become a socket (ADR 16).
 */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #socket: Socket
  readonly #reader = new AnswerReader()
  #asker: Asker | undefined
  #isConnected = false
  #wasKept = false
  #isPaused = false
  /** While a body is being sent. */
  #stopSending: (() => void) | undefined
  #error: Error | undefined
  #hear: Hear = (bytes) => this.#readAnswer(bytes)

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { address, limits, readBuffer } = parts
    const callback = (length: number) => this.#hear(readBuffer.subarray(0, length))
    this.#socket = connect({ ...address, noDelay: true, onread: { buffer: readBuffer, callback } })
    this.#socket.setTimeout(limits.connectMs)
    this.#socket
      .on('timeout', this.#onTimeout)
      .on('end', this.#onEnd)
      .on('error', this.#onError)
      .on('close', this.#onClose)
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  ask(question: Question, asker: Asker): void {
    this.#asker = asker
    this.#reader.expect(asker, question.method === 'HEAD')
    if (this.#isConnected) this.#send(question)
    else
      this.#socket.once('connect', () => {
        this.#isConnected = true
        this.#send(question)
      })
  }

  #send({ head, bodyOf }: Question): void {
    this.#socket.setTimeout(this.#parts.limits.answerMs)
    if (!bodyOf) {
      this.#socket.write(head, 'latin1')
      return
    }
    // What has come of the body already goes out with the head.
    this.#socket.cork()
    this.#socket.write(head, 'latin1')
    this.#stopSending = sendBody(bodyOf, this.#socket, () => {
      this.#stopSending = undefined
    })
    process.nextTick(() => this.#socket.uncork())
  }

  /** No more of the answer for now. */
  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#socket.setTimeout(this.#parts.limits.answerMs)
    this.#socket.resume()
  }

  destroy(error?: Error): void {
    this.#error ??= error
    this.#socket.destroy()
  }

  /** When HTTP is left: the socket itself, for who listens from now on. */
  handOver(hear: Hear): Socket {
    this.#hear = hear
    this.#asker = undefined
    return this.#socket
      .setTimeout(0)
      .off('timeout', this.#onTimeout)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose)
  }

  #readAnswer(bytes: Buffer): boolean {
    if (!this.#asker) {
      this.destroy() // Nobody has asked.
      return true
    }
    try {
      const surplus = this.#reader.read(bytes)
      if (this.#asker && this.#reader.isOver) this.#finish(surplus)
    } catch (error) {
      this.destroy(error as Error)
    }
    return true
  }

  #finish(surplus: Buffer): void {
    const asker = this.#asker
    this.#asker = undefined
    const { keepMs } = this.#reader
    // A request that is still being sent cannot be taken back, and nobody reads the rest of it.
    const { onFree } = this.#parts
    if (onFree && keepMs > 0 && surplus.length === 0 && !this.#stopSending) {
      this.#wasKept = true
      if (this.#isPaused) this.resume()
      this.#socket.setTimeout(keepMs)
      onFree(this)
    } else this.#socket.destroy()
    this.#stopSending?.()
    this.#stopSending = undefined
    asker?.onEnd()
  }

  /** Silence counts against the backend only when it is its turn to speak or to read. */
  #onTimeout = (): void => {
    const isWaitingForClient =
      this.#isPaused || (this.#stopSending !== undefined && !this.#socket.writableNeedDrain)
    if (this.#asker && this.#isConnected && isWaitingForClient) return
    this.destroy(timeOut(this.#isConnected ? 'ANSWER_TIMEOUT' : 'CONNECT_TIMEOUT'))
  }

  #onEnd = (): void => {
    if (this.#asker && this.#reader.close()) this.#finish(Buffer.alloc(0))
    this.#socket.destroy()
  }

  #onError = (error: Error): void => {
    this.#error ??= error
  }

  #onClose = (): void => {
    this.#parts.onClosed?.(this)
    this.#stopSending?.()
    const asker = this.#asker
    this.#asker = undefined
    asker?.onFailed({
      error: this.#error ?? new Error('the backend closed the connection'),
      wasSent: this.#isConnected,
      wasKept: this.#wasKept,
    })
  }
}

const timeOut = (code: string): Error => Object.assign(new Error('no answer in time'), { code })

import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Takes the bytes at once or copies them: they stand in a buffer that is used again. False: no more for now. */
export type Hear = (bytes: Buffer) => boolean

/**
 * A connection to a backend that speaks HTTP until it has become a socket. All of them read into one buffer: Node would
 * allocate 64 KiB for every read, and frames are short (measured: a tenth of the processor time of an echo).
 */
export class Line extends Duplex {
  readonly #socket: Socket
  #hear: Hear = (bytes) => this.push(Buffer.from(bytes))

  constructor(host: string, port: number, buffer: Buffer) {
    super()
    const callback = (length: number) => this.#hear(buffer.subarray(0, length))
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer, callback } })
    this.#socket.on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
  }

  #onEnd = (): void => void this.push(null)
  #onError = (error: Error): void => void this.destroy(error)
  #onClose = (): void => void this.destroy()

  onConnect(listener: () => void): void {
    this.#socket.once('connect', listener)
  }

  /** The socket itself, for who listens from now on. */
  handOver(hear: Hear): Socket {
    this.#hear = hear
    // Nobody listens to us any more, so an error would end the process.
    return this.#socket.off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose)
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, callback)
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#socket.end(callback)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy()
    callback(error)
  }
}

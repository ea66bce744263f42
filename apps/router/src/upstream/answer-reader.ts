import { type AnswerHead, MalformedAnswer, parseAnswerHead } from './answer-head.ts'

/** Bytes are good until the call returns: they stand in a buffer that is used again. */
export interface AnswerListener {
  onHead(head: AnswerHead): void
  onBody(bytes: Buffer): void
  /** For who has asked to leave HTTP: it is left after this head. */
  onSwitch?(head: AnswerHead, surplus: Buffer): void
}

type Step = 'head' | 'bytes' | 'until close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'over'

/** As much as Node's own parser takes. */
const mostHeadBytes = 16_384
/** A length with its extensions, which nobody uses. */
const mostLineBytes = 1_024
const lineEnd = '\r\n'
const nothing = Buffer.alloc(0)

/** Reads answers to requests one after another, however their bytes are cut into pieces. */
export class AnswerReader {
  #listener: AnswerListener | undefined
  #isToHead = false
  #step: Step = 'over'
  /** Of the body or the chunk. */
  #left = 0
  /** The beginning of what can only be read as a whole. */
  #begun: Buffer | undefined
  #trailerBytes = 0
  #keepMs = 0

  expect(listener: AnswerListener, isToHead: boolean): void {
    this.#listener = listener
    this.#isToHead = isToHead
    this.#step = 'head'
  }

  get isOver(): boolean {
    return this.#step === 'over'
  }

  /** How long the connection may be kept, once the answer is over. */
  get keepMs(): number {
    return this.#keepMs
  }

  /** Returns what follows the answer. Throws when it is malformed. */
  read(fresh: Buffer): Buffer {
    let bytes = this.#begun ? Buffer.concat([this.#begun, fresh]) : fresh
    this.#begun = undefined
    while (bytes.length > 0 && this.#step !== 'over') {
      const used = this.#take(bytes)
      if (used === 0) {
        this.#begun = Buffer.from(bytes)
        return nothing
      }
      bytes = bytes.subarray(used)
    }
    return bytes
  }

  /** Nothing more will come. Answers whether the answer was whole. */
  close(): boolean {
    if (this.#step === 'until close') this.#step = 'over'
    return this.#step === 'over'
  }

  /** Answers how many bytes were used; 0: more are needed. */
  #take(bytes: Buffer): number {
    switch (this.#step) {
      case 'head':
        return this.#takeHead(bytes)
      case 'bytes':
        return this.#takeBody(bytes, 'over')
      case 'until close':
        this.#listener?.onBody(bytes)
        return bytes.length
      case 'chunk size':
        return this.#takeChunkSize(bytes)
      case 'chunk':
        return this.#takeBody(bytes, 'chunk end')
      case 'chunk end':
        return this.#takeChunkEnd(bytes)
      case 'trailer':
        return this.#takeTrailer(bytes)
      case 'over':
        return 0
    }
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(lineEnd + lineEnd)
    if (end > mostHeadBytes || (end < 0 && bytes.length > mostHeadBytes))
      throw new MalformedAnswer('the backend sent a head without end')
    if (end < 0) {
      // It would be waited for until the time-out.
      if (bytes.includes('\n\n')) throw new MalformedAnswer('the backend sent bare line ends')
      return 0
    }
    const head = parseAnswerHead(bytes.toString('latin1', 0, end + lineEnd.length), this.#isToHead)
    const used = end + lineEnd.length * 2
    if (head.status === 101) {
      this.#switch(head, bytes.subarray(used))
      return bytes.length
    }
    // What comes before an answer is meant for whoever asked for it, and that is the router.
    if (head.status < 200) return used
    this.#keepMs = head.body === 'until close' ? 0 : head.keepMs
    this.#listener?.onHead(head)
    if (typeof head.body === 'number') {
      this.#left = head.body
      this.#step = head.body === 0 ? 'over' : 'bytes'
    } else this.#step = head.body === 'chunks' ? 'chunk size' : 'until close'
    return used
  }

  #switch(head: AnswerHead, surplus: Buffer): void {
    const listener = this.#listener
    if (!listener?.onSwitch) throw new MalformedAnswer('the backend left HTTP unasked')
    this.#step = 'over'
    this.#keepMs = 0
    listener.onSwitch(head, surplus)
  }

  #takeBody(bytes: Buffer, next: Step): number {
    const used = Math.min(this.#left, bytes.length)
    this.#left -= used
    this.#listener?.onBody(used === bytes.length ? bytes : bytes.subarray(0, used))
    if (this.#left === 0) this.#step = next
    return used
  }

  #takeChunkSize(bytes: Buffer): number {
    const line = lineIn(bytes, mostLineBytes)
    if (line === undefined) return 0
    const size = /^([\da-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)?.[1]
    if (size === undefined) throw new MalformedAnswer('the backend sent a chunk without a size')
    this.#left = Number.parseInt(size, 16)
    this.#trailerBytes = 0
    this.#step = this.#left === 0 ? 'trailer' : 'chunk'
    return line.length + lineEnd.length
  }

  #takeChunkEnd(bytes: Buffer): number {
    if (bytes.length < lineEnd.length) return 0
    if (bytes.toString('latin1', 0, lineEnd.length) !== lineEnd)
      throw new MalformedAnswer('the backend sent a chunk longer than its size')
    this.#step = 'chunk size'
    return lineEnd.length
  }

  /** Trailers are not passed on: nobody here sends or reads any. */
  #takeTrailer(bytes: Buffer): number {
    const line = lineIn(bytes, mostHeadBytes)
    if (line === undefined) return 0
    this.#trailerBytes += line.length
    if (this.#trailerBytes > mostHeadBytes) throw new MalformedAnswer('the backend sent trailers without end')
    if (line === '') this.#step = 'over'
    return line.length + lineEnd.length
  }
}

function lineIn(bytes: Buffer, most: number): string | undefined {
  const end = bytes.indexOf(lineEnd)
  if (end > most || (end < 0 && bytes.length > most))
    throw new MalformedAnswer('the backend sent a line without end')
  return end < 0 ? undefined : bytes.toString('latin1', 0, end)
}

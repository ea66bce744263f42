import { asError, NoAnswer } from '../errors.ts'

/** SHA-256 of what it has been given so far. */
export interface RunningHash {
  update(bytes: Uint8Array): void
  hex(): string
}

/** Whoever has received this much since the last failure has no reason to give up. */
const realProgressBytes = 2 ** 20

/** What there is of a file already; its bytes are in the hash. */
export interface HeldFile {
  exportId: string
  bytes: number
}

export interface WholeFileOptions {
  /** Asks for the file, or for the rest of it: `resume` of the export. Rejects unless the response is a success. */
  open(resume: string | undefined): Promise<Response>
  hash: RunningHash
  held?: HeldFile
  /** Resolves when it is time to ask again; rejects to give up. */
  beforeRetry(error: Error, failures: number): Promise<void>
  /** The id is needed to continue in another process. */
  onBegun?: (exportId: string) => void | Promise<void>
}

/**
 * R47: a file of an export in any format, piece by piece. If the connection breaks off, the rest is asked for; the platform
 * compares what is there already with what it would send today, so that a file is never made of two states of the data.
 */
export async function* wholeFile(options: WholeFileOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { open, hash, held, beforeRetry, onBegun } = options
  let { exportId, bytes } = held ?? { exportId: null, bytes: 0 }
  for (let failures = 0; ; ) {
    const isHeld = exportId !== null && bytes > 0
    const from = bytes
    try {
      const answer = await open(isHeld ? `${exportId}-${bytes}-${hash.hex()}` : undefined)
      if (isHeld) await expectRest(answer, `${exportId}`, bytes)
      else {
        exportId = answer.headers.get('x-export-id')
        if (exportId !== null) await onBegun?.(exportId)
      }
      for await (const piece of piecesOf(answer)) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
      return
    } catch (error) {
      if (bytes - from >= realProgressBytes) failures = 0
      // Something that cannot be continued, such as a file that a proxy has made of it.
      if (bytes > 0 && exportId === null) throw error
      failures++
      await beforeRetry(asError(error), failures)
    }
  }
}

/** A page of a hotel's network, or a proxy that drops what it does not know, must not end up in the file. */
async function expectRest({ headers, body }: Response, exportId: string, bytes: number): Promise<void> {
  if (headers.get('x-export-id') === exportId && headers.get('x-export-offset') === String(bytes)) return
  await body?.cancel().catch(() => undefined)
  throw new NoAnswer('something other than the platform has responded')
}

async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) return
      yield value
    }
  } finally {
    // Whoever stops in between wants no more of it.
    await reader.cancel().catch(() => undefined)
  }
}

function brokenOff(error: unknown): never {
  throw new NoAnswer(asError(error).message, { cause: error })
}

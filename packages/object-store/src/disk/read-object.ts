import { type FileHandle, open } from 'node:fs/promises'
import type { Layout } from './layout.ts'
import type { ObjectFacts } from './sealed-file.ts'

/** The bytes from `first` to `last`, both included. */
export interface ByteRange {
  first: number
  last: number
}

/** An object that stays as it is until `close`, even if it is replaced or deleted meanwhile. */
export interface OpenObject {
  facts: ObjectFacts
  read(range: ByteRange): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const chunkBytes = 262_144

async function* readFile(file: FileHandle, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    // A new buffer each time, because the receiver may still be sending the one before.
    const length = Math.min(chunkBytes, last - at + 1)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at)
    if (bytesRead === 0) throw new Error('a stored file ends early')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Reads an object that was stored at once from its file, and one that came in parts from theirs. */
export async function* readBytes(
  file: FileHandle,
  { pieces }: ObjectFacts,
  layout: Layout,
  range: ByteRange,
): AsyncGenerator<Buffer> {
  if (!pieces) {
    yield* readFile(file, range)
    return
  }
  let start = 0
  for (const { number, size } of pieces.parts) {
    const within = {
      first: Math.max(0, range.first - start),
      last: Math.min(size, range.last + 1 - start) - 1,
    }
    start += size
    if (within.first > within.last) continue
    const part = await open(layout.part(pieces.uploadId, number), 'r')
    try {
      yield* readFile(part, within)
    } finally {
      await part.close()
    }
  }
}

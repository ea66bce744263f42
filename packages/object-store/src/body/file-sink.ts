import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { S3Error } from '../http/s3-error.ts'

/** Written in one call. Larger than what a socket delivers at once (64 KiB), so that a write costs little. */
const batchBytes = 262_144

export interface Sink {
  write(bytes: Buffer): Promise<void> | void
  end(): Promise<void>
}

/**
 * Fills the next batch while the last one is being written; two batches are all that an upload holds in memory. Bytes
 * are copied: a client that sends them one by one would otherwise make us keep a buffer for each.
 */
export function createFileSink(file: FileHandle): Sink {
  let batch = Buffer.allocUnsafe(batchBytes)
  let spare = Buffer.allocUnsafe(batchBytes)
  let collected = 0
  let position = 0
  let writing: Promise<void> = Promise.resolve()

  /** Only when the last batch has been written, which is the spare one now. */
  function flush(): void {
    const [bytes, at] = [batch.subarray(0, collected), position]
    position += collected
    collected = 0
    ;[batch, spare] = [spare, batch]
    writing = writeAt(file, bytes, at)
    writing.catch(() => undefined) // Whoever calls next sees it.
  }

  async function writeOn(bytes: Buffer): Promise<void> {
    for (let rest = bytes; rest.length > 0; ) {
      const copied = rest.copy(batch, collected)
      collected += copied
      rest = rest.subarray(copied)
      if (collected < batchBytes) return
      await writing
      flush()
    }
  }

  return {
    write(bytes) {
      if (collected + bytes.length >= batchBytes) return writeOn(bytes)
      collected += bytes.copy(batch, collected)
    },
    async end() {
      await writing
      flush()
      await writing
    },
  }
}

async function writeAt(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  // A disk that is about to fill up takes a part; the next write says why.
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
}

/** Writes exactly `size` bytes; throws S3Error if there are more or fewer. Returns their MD5 in hex. */
export async function writeBytes(
  file: FileHandle,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): Promise<string> {
  const sink = createFileSink(file)
  const md5 = createHash('md5')
  let written = 0
  for await (const chunk of bytes) {
    written += chunk.length
    if (written > size) throw new S3Error('InvalidRequest', 'There are more bytes than were announced.')
    md5.update(chunk)
    await sink.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
  if (written < size) throw new S3Error('IncompleteBody')
  await sink.end()
  return md5.digest('hex')
}

/** For small bodies. */
export function createTextSink(): Sink & { text(): string } {
  const chunks: Buffer[] = []
  return {
    write: (bytes) => void chunks.push(bytes),
    end: async () => undefined,
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}

import type { FileHandle } from 'node:fs/promises'

/** Written in one call. Much larger than what a socket delivers at once (64 KiB), so that a write costs little. */
const batchBytes = 1_048_576

export interface Sink {
  write(bytes: Buffer): Promise<void> | void
  end(): Promise<void>
}

/** Collects the next batch while the last one is being written; two batches are all that an upload holds in memory. */
export function createFileSink(file: FileHandle): Sink {
  let batch: Buffer[] = []
  let collected = 0
  let position = 0
  let writing: Promise<void> = Promise.resolve()

  function flush(): void {
    const [bytes, at] = [batch, position]
    position += collected
    batch = []
    collected = 0
    writing = writeAt(file, bytes, at)
    writing.catch(() => undefined) // Whoever calls next sees it.
  }

  return {
    write(bytes) {
      batch.push(bytes)
      collected += bytes.length
      if (collected < batchBytes) return
      return writing.then(flush)
    },
    async end() {
      await writing
      flush()
      await writing
    },
  }
}

async function writeAt(file: FileHandle, batch: Buffer[], at: number): Promise<void> {
  const total = batch.reduce((sum, { length }) => sum + length, 0)
  if (total === 0) return
  const { bytesWritten } = await file.writev(batch, at)
  if (bytesWritten === total) return
  // A disk that is about to fill up takes a part; the next write says why.
  const rest = Buffer.concat(batch).subarray(bytesWritten)
  await writeAt(file, [rest], at + bytesWritten)
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

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

/** A file on disk that no longer has a name. */
export type KeptFile = FileHandle

/** Where a file of a form is in the one that keeps them all. */
export interface KeptPart {
  start: number
  size: number
}

export async function openNameless(folder: string): Promise<KeptFile> {
  const path = join(folder, `.arriving-${randomUUID()}`)
  const kept = await open(path, 'wx+', 0o600)
  await unlink(path)
  return kept
}

/** Appends to the file, and counts what belongs to the part. */
export async function keepAll(chunks: AsyncIterable<Buffer>, kept: KeptFile, part: KeptPart): Promise<void> {
  // Not the streams of the file handle: closing it waits for those that were never read to their end.
  for await (const chunk of chunks) {
    await kept.writeFile(chunk)
    part.size += chunk.length
  }
}

const chunkBytes = 262_144

/** The parts of a kept file, each as if it were a file of its own. */
export const partsOf = <Part extends KeptPart>(kept: KeptFile, parts: readonly Part[]) =>
  parts.map((part) => ({
    ...part,
    open: () => Readable.from(chunksOf(kept, part)),
    readAt: (position: number, length: number) => readWithin(kept, part, position, length),
  }))

async function readWithin(
  kept: KeptFile,
  { start, size }: KeptPart,
  position: number,
  length: number,
): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(length, size - position))
  const { bytesRead, buffer } = await kept.read(Buffer.alloc(wanted), 0, wanted, start + position)
  return buffer.subarray(0, bytesRead)
}

async function* chunksOf(kept: KeptFile, part: KeptPart): AsyncGenerator<Buffer> {
  for (let position = 0; position < part.size; ) {
    const chunk = await readWithin(kept, part, position, chunkBytes)
    if (chunk.length === 0) return
    position += chunk.length
    yield chunk
  }
}

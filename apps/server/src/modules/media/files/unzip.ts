import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { BadZip, contentStart, type ReadAt, readZipDirectory, type ZipEntry } from './zip-directory.ts'

/** A file that has arrived, by itself or in a ZIP. */
export interface ArrivedMedia {
  /** As the sender wrote it; it may be a path. */
  name: string
  /** As the ZIP claims; `open` yields so many, or fails. */
  bytes: number
  /** From the first byte, each time. */
  open(): Readable
}

const chunkBytes = 65_536

/** The files in a ZIP: folders, and what systems leave in them, are passed over. */
export async function openZip(readAt: ReadAt, size: number, maxEntries: number): Promise<ArrivedMedia[]> {
  const entries = await readZipDirectory(readAt, size, maxEntries)
  return entries
    .filter(({ name }) => !isLeftOver(name))
    .map((entry) => ({
      name: entry.name,
      bytes: entry.bytes,
      open: () => Readable.from(contentOf(readAt, entry, size), { objectMode: false }),
    }))
}

/** Folders, and files that macOS and Windows put beside what people see. */
const isLeftOver = (name: string): boolean =>
  /[/\\]$/.test(name) ||
  /(^|[/\\])__MACOSX[/\\]/.test(name) ||
  /(^|[/\\])(\.[^/\\]*|Thumbs\.db|desktop\.ini)$/i.test(name)

/**
 * Never more than the directory claims, whatever is packed: unpacking stops at the first byte beyond it. Whoever reads
 * adds the claims up before, so a ZIP that unpacks to much more than it has costs nothing.
 */
async function* contentOf(readAt: ReadAt, entry: ZipEntry, size: number): AsyncGenerator<Buffer> {
  const start = await contentStart(readAt, entry)
  if (start + entry.packedBytes > size) throw new BadZip('is damaged: it ends too early')
  const packed = packedBytes(readAt, start, entry.packedBytes)
  let bytes = 0
  let sum = 0
  try {
    for await (const chunk of entry.isStored ? packed : inflated(packed)) {
      bytes += chunk.length
      if (bytes > entry.bytes) throw new BadZip(`is damaged: ‘${entry.name}’ is larger than it says`)
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw error instanceof BadZip ? error : new BadZip(`is damaged: ‘${entry.name}’ cannot be unpacked`)
  }
  if (bytes !== entry.bytes || sum !== entry.crc32)
    throw new BadZip(`is damaged: ‘${entry.name}’ is not what it was when it was packed`)
}

async function* packedBytes(readAt: ReadAt, start: number, length: number): AsyncGenerator<Buffer> {
  for (let position = start; position < start + length; ) {
    const chunk = await readAt(position, Math.min(chunkBytes, start + length - position))
    if (chunk.length === 0) return
    position += chunk.length
    yield chunk
  }
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(packed, { objectMode: false })
  const inflate = createInflateRaw({ chunkSize: chunkBytes })
  source.on('error', (error) => inflate.destroy(error))
  try {
    for await (const chunk of source.pipe(inflate)) yield chunk
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of the archive, made when its turn comes. */
export interface ZippedFile {
  path: string
  content(): AsyncIterable<string | Uint8Array>
}

/**
 * Enough that asking again whether the reader may go on costs little beside it. Compressed, so it is several pages of rows.
 */
const bytesPerRead = 131_072

/**
 * Writes a ZIP file as fast as it is read: a file is made, compressed and forgotten page by page, so memory grows with neither
 * the files nor their rows. The files have no sizes in front of them (they are not known yet), which every reader understands.
 */
export function readZip(files: readonly ZippedFile[], now: number): () => Promise<Uint8Array | null> {
  const zip = new ZipFile()
  const failed = Promise.withResolvers<never>()
  // Heard only while a read is under way.
  failed.promise.catch(() => undefined)
  zip.on('error', failed.reject)
  for (const { path, content } of files)
    zip.addReadStreamLazy(path, { mtime: new Date(now), compressionLevel: 6 }, (give) => {
      const stream = Readable.from(toBytes(content()), { objectMode: false })
      stream.on('error', failed.reject)
      give(null, stream)
    })
  zip.end()
  const output = Readable.from(zip.outputStream, { objectMode: false })[Symbol.asyncIterator]()

  return async () => {
    const chunks: Uint8Array[] = []
    let size = 0
    while (size < bytesPerRead) {
      const { done, value } = await Promise.race([output.next(), failed.promise])
      if (done) break
      chunks.push(value)
      size += value.length
    }
    return size === 0 ? null : Buffer.concat(chunks)
  }
}

/** A stream of bytes takes no empty chunk for its end. */
async function* toBytes(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of content) if (part.length > 0) yield Buffer.from(part)
}

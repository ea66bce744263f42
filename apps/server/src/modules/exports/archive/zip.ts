import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of the archive, made when its turn comes. */
export interface ZippedFile {
  path: string
  content(): AsyncIterable<string | Uint8Array>
  /** 6 by default; pictures and sounds are compressed already. */
  compressionLevel?: number
}

/**
 * Enough that asking again whether the reader may go on costs little beside it. Compressed, so it is several pages of rows.
 */
const bytesPerRead = 131_072

/**
 * Writes a ZIP file as fast as it is read: a file is made, compressed and forgotten page by page, so memory grows with neither
 * the files nor their rows. The files have no sizes in front of them (they are not known yet), which every reader understands.
 * Which files there are may be found out on the way: the next one is asked for when the one before has been written.
 */
export function readZip(files: AsyncIterable<ZippedFile>, now: number): () => Promise<Uint8Array | null> {
  const zip = new ZipFile()
  const failed = Promise.withResolvers<never>()
  // Heard only while a read is under way.
  failed.promise.catch(() => undefined)
  zip.on('error', failed.reject)
  const add = ({ path, content, compressionLevel = 6 }: ZippedFile): Promise<void> =>
    new Promise((written) => {
      zip.addReadStreamLazy(path, { mtime: new Date(now), compressionLevel }, (give) => {
        const stream = Readable.from(toBytes(content()), { objectMode: false })
        stream.on('error', failed.reject)
        stream.on('end', written)
        give(null, stream)
      })
    })
  const addAll = async (): Promise<void> => {
    for await (const file of files) await add(file)
    zip.end()
  }
  addAll().catch(failed.reject)
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

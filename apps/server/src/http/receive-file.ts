import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import { type ArrivalRules, createArrivals, type Place } from './arrivals.ts'
import type { Uploader } from './upload-shares.ts'

export interface FileRules extends ArrivalRules {
  maxBytes: number
  /** What to do with a larger file; nothing can be done when absent. */
  otherwise?: string
  /** Throws if no such file is wanted; called before its content is read. */
  refuse(file: FileFacts): void
}

interface FileFacts {
  filename: string
  contentType: string
}

export interface ReceivedFile extends FileFacts {
  size: number
  /** From the first byte, each time. */
  open(): Readable
  discard(): Promise<void>
}

/** Boundaries and headers around the file. */
const maxFramingBytes = 65_536

/** Reads the field `file` of forms. */
export function createFileReceiver(rules: FileRules, arrivals = createArrivals(rules)) {
  /**
   * The file is kept without a name, so that the system removes it however we end. In memory there is never more than a
   * chunk of it.
   */
  async function receive(request: IncomingMessage, place: Place): Promise<ReceivedFile> {
    const form = openForm(request, rules.maxBytes)
    const kept = await openNameless(rules.folder).catch((error) => {
      throw asRefusal(error)
    })
    try {
      const facts = await readForm(request, form, kept, rules, place)
      place.arrived()
      const { size } = await kept.stat()
      if (size === 0) throw badFile('is empty')
      const discard = async (): Promise<void> => {
        await kept.close()
        place.leave()
      }
      return { ...facts, size, open: () => Readable.from(chunksOf(kept)), discard }
    } catch (error) {
      await kept.close()
      throw asRefusal(error)
    }
  }

  return async (request: IncomingMessage, uploader: Uploader): Promise<ReceivedFile> => {
    const maxBodyBytes = rules.maxBytes + maxFramingBytes
    const bytes = Number(request.headers['content-length'] ?? maxBodyBytes)
    if (bytes > maxBodyBytes) throw tooLarge(rules)
    const place = await arrivals.admit(uploader, bytes)
    try {
      return await receive(request, place)
    } catch (error) {
      place.leave()
      throw error
    }
  }
}

function openForm(request: IncomingMessage, maxBytes: number): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw badForm('needs a body with Content-Type: multipart/form-data and the field file')
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { files: 2, fileSize: maxBytes, fields: 10, fieldSize: 1_024, parts: 12, headerPairs: 20 },
    })
  } catch {
    throw badForm('has no boundary in its Content-Type')
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `.arriving-${randomUUID()}`)
  const kept = await open(path, 'wx+', 0o600)
  await unlink(path)
  return kept
}

const chunkBytes = 262_144

// Not the streams of the file handle: closing it waits for those that were never read to their end.
async function keepAll(chunks: AsyncIterable<Buffer>, kept: FileHandle): Promise<void> {
  for await (const chunk of chunks) await kept.writeFile(chunk)
}

async function* chunksOf(kept: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await kept.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Writes the file of the form to disk. Ends with the form, or with the first thing that is wrong with it. */
async function readForm(
  request: IncomingMessage,
  form: BusboyInstance,
  kept: FileHandle,
  rules: FileRules,
  place: Place,
): Promise<FileFacts> {
  const stop = new AbortController()
  let facts: FileFacts | undefined
  let writing: Promise<void> = Promise.resolve()
  const count = (chunk: Buffer): void => place.received(chunk.length)
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (field, content, filename, _encoding, contentType) => {
        const file = { filename: filename ?? '', contentType }
        try {
          if (field !== 'file')
            throw badForm(`has a file in the field ‘${field.slice(0, 100)}’, not in ‘file’`)
          if (facts) throw badForm('has more than one file')
          rules.refuse(file)
        } catch (error) {
          content.resume()
          return reject(error)
        }
        facts = file
        content.once('limit', () => reject(tooLarge(rules)))
        writing = pipeline(content, (chunks) => keepAll(chunks, kept), { signal: stop.signal })
        writing.catch(reject)
      })
      for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'])
        form.on(event, () => reject(badForm('has more parts than the one file')))
      form.on('error', () => reject(badForm('is not valid multipart/form-data')))
      form.on('finish', () => writing.then(resolve, reject))
      request.on('error', reject)
      request.on('close', () => request.complete || reject(badForm('ended before all of it had arrived')))
      // It may have gone while the file was opened.
      if (request.destroyed) reject(badForm('ended before it had arrived'))
      place.lost.addEventListener('abort', () => reject(place.lost.reason))
      if (place.lost.aborted) reject(place.lost.reason)
      request.on('data', count)
      request.pipe(form)
    })
    if (!facts) throw badFile('is missing')
    return facts
  } catch (error) {
    stop.abort()
    request.unpipe(form)
    // Whoever is still sending would otherwise see a reset instead of the answer.
    request.resume()
    await writing.catch(() => undefined)
    throw error
  } finally {
    request.off('data', count)
    form.removeAllListeners().on('error', () => undefined)
  }
}

const badForm = (message: string): AppError => validationFailed([{ path: '', message }])
const badFile = (message: string): AppError => validationFailed([{ path: '/file', message }])

const tooLarge = ({ maxBytes, otherwise = '' }: FileRules): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    { maxBytes },
    `The file has more than ${maxBytes} bytes. ${otherwise}`.trim(),
  )

/** What a sender is told about a disk that cannot keep the file. */
function asRefusal(error: unknown): unknown {
  const code = String((error as { code?: unknown } | null)?.code)
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(code)) return new AppError('STORAGE_FULL')
  return code === 'EROFS' ? new AppError('UNAVAILABLE', { reason: 'read_only' }) : error
}

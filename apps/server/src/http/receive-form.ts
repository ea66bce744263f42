import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import type { Place } from './arrivals.ts'
import { type KeptFile, type KeptPart, keepAll } from './kept-file.ts'

export interface FileFacts {
  filename: string
  contentType: string
}

interface FormRules {
  maxBytes: number
  maxFiles: number
  /** Of the form with everything around its files. */
  maxBodyBytes: number
  otherwise?: string
  refuse(file: FileFacts): void
}

export function openForm(request: IncomingMessage, maxBytes: number, maxFiles: number): BusboyInstance {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw badForm('needs a body with Content-Type: multipart/form-data and the field file')
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        files: maxFiles + 1,
        fileSize: maxBytes,
        fields: 10,
        fieldSize: 1_024,
        parts: maxFiles + 11,
        headerPairs: 20,
      },
    })
  } catch {
    throw badForm('has no boundary in its Content-Type')
  }
}

type FormPart = FileFacts & KeptPart

/** Writes the files of the form to disk, one behind the other. Ends with the form, or with the first thing that is wrong with it. */
export async function readForm(
  request: IncomingMessage,
  form: BusboyInstance,
  kept: KeptFile,
  rules: FormRules,
  place: Place,
): Promise<FormPart[]> {
  const stop = new AbortController()
  const parts: FormPart[] = []
  let writing: Promise<void> = Promise.resolve()
  let received = 0
  let onTooMuch = (): void => undefined
  const count = (chunk: Buffer): void => {
    place.received(chunk.length)
    received += chunk.length
    if (received > rules.maxBodyBytes) onTooMuch()
  }
  try {
    await new Promise<void>((resolve, reject) => {
      onTooMuch = () => reject(tooLarge(rules))
      form.on('file', (field, content, filename, _encoding, contentType) => {
        const file = { filename: filename ?? '', contentType }
        try {
          refusePart(field, file, parts, rules)
        } catch (error) {
          content.resume()
          return reject(error)
        }
        const part = { ...file, start: 0, size: 0 }
        parts.push(part)
        content.once('limit', () => reject(tooLarge(rules)))
        // Heard from the beginning: it may fail before its turn to be written has come.
        content.on('error', () => reject(badForm('is not valid multipart/form-data')))
        writing = writing.then(async () => {
          part.start = (await kept.stat()).size
          await pipeline(content, (chunks) => keepAll(chunks, kept, part), { signal: stop.signal })
        })
        writing.catch(reject)
      })
      for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'])
        form.on(event, () => reject(badForm(tooManyParts(rules))))
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
    if (parts.length === 0) throw badFile('is missing')
    return parts
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

function refusePart(
  field: string,
  file: FileFacts,
  before: readonly FileFacts[],
  { maxFiles, refuse }: FormRules,
): void {
  if (field !== 'file') throw badForm(`has a file in the field ‘${field.slice(0, 100)}’, not in ‘file’`)
  if (before.length === maxFiles)
    throw badForm(maxFiles === 1 ? 'has more than one file' : `has more than ${maxFiles} files`)
  refuse(file)
}

const tooManyParts = ({ maxFiles }: FormRules): string =>
  maxFiles === 1 ? 'has more parts than the one file' : `has more parts than ${maxFiles} files`

const badForm = (message: string): AppError => validationFailed([{ path: '', message }])
export const badFile = (message: string): AppError => validationFailed([{ path: '/file', message }])

export const tooLarge = ({ maxBytes, otherwise = '' }: Pick<FormRules, 'maxBytes' | 'otherwise'>): AppError =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    { maxBytes },
    `The file has more than ${maxBytes} bytes. ${otherwise}`.trim(),
  )

import { createHash } from 'node:crypto'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { ReadFile } from './file.ts'

/** What somebody has of a file whose download broke off. */
export interface Held {
  /** When the file was begun; an archive says so inside. */
  startedAt: number
  bytes: number
  /** Of these bytes. */
  sha256: string
}

/** `X-Export-Id`: all that is needed to make the same file again from the same data. */
export const exportIdOf = (startedAt: number): string => startedAt.toString(36)

/** Reads a value that the schema has accepted. */
export function readResumption(text: string, now: number): Held {
  const [id = '', bytes, sha256 = ''] = text.split('-')
  const startedAt = Number.parseInt(id, 36)
  if (startedAt > now)
    throw validationFailed([{ path: '/resume', message: 'must begin with the X-Export-Id of a response' }])
  return { startedAt, bytes: Number(bytes), sha256 }
}

/**
 * The rest of a file. It is made again from its beginning, and nothing of it is sent unless the beginning is what they have,
 * byte for byte: two states of the data are never mixed in one file.
 */
export function restOf(read: ReadFile, { bytes, sha256 }: Held, isGone: () => boolean): ReadFile {
  const hash = createHash('sha256')
  let missing = bytes
  let isFound = false

  async function findPlace(): ReturnType<ReadFile> {
    for (;;) {
      const page = await read()
      const lines = Buffer.from(page.lines)
      const known = lines.subarray(0, missing)
      hash.update(known)
      missing -= known.length
      if (missing === 0) {
        if (hash.digest('hex') !== sha256) throw new AppError('EXPORT_CHANGED')
        isFound = true
        return { ...page, lines: lines.subarray(known.length) }
      }
      if (page.next === null) throw new AppError('EXPORT_CHANGED')
      if (isGone()) throw new AppError('UNAVAILABLE', {}, 'Nobody waits for this file any more.')
    }
  }

  return async () => await (isFound ? read() : findPlace())
}

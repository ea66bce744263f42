import { createHash } from 'node:crypto'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { ExportPage } from '../events/index.ts'

/** What somebody has of a file whose download broke off. */
export interface Held {
  /** When the file was begun; an archive says so inside. */
  startedAt: number
  bytes: number
  /** Of these bytes. */
  sha256: string
}

/** The clocks of two instances differ by less. */
const clocksDifferMs = 60_000
/** About as many megabytes. Asking whether somebody may still export costs little beside them. */
const pagesPerQuestion = 16

/** `X-Export-Id`: all that is needed to make the same file again from the same data. */
export const exportIdOf = (startedAt: number): string => startedAt.toString(36)

/** Reads a value that the schema has accepted. */
export function readResumption(text: string, now: number): Held {
  const [id = '', bytes, sha256 = ''] = text.split('-')
  const startedAt = Number.parseInt(id, 36)
  if (startedAt > now + clocksDifferMs)
    throw validationFailed([{ path: '/resume', message: 'must begin with the X-Export-Id of a response' }])
  return { startedAt, bytes: Number(bytes), sha256 }
}

/** Whoever waits for the rest. */
interface Reader {
  isGone(): boolean
  /** Rejects once they may no longer export the experiment. */
  askAgain(): Promise<unknown>
}

/** Nobody reads it, and the export is on record as broken off. */
const nothingMore = { lines: '', events: 0, next: null }

/**
 * The rest of a file. It is made again from its beginning, and nothing of it is sent unless the beginning is what they have,
 * byte for byte: two states of the data are never mixed in one file.
 */
export function restOf(read: ReadFile, { bytes, sha256 }: Held, { isGone, askAgain }: Reader): ReadFile {
  const hash = createHash('sha256')
  let missing = bytes
  let isFound = false

  async function findPlace(): ReturnType<ReadFile> {
    for (let pages = 1; ; pages++) {
      const page = await read()
      const lines = Buffer.from(page.lines)
      const known = lines.subarray(0, missing)
      hash.update(known)
      missing -= known.length
      if (missing === 0) {
        if (hash.digest('hex') !== sha256) throw new AppError('EXPORT_CHANGED')
        await askAgain()
        isFound = true
        return { ...page, lines: lines.subarray(known.length) }
      }
      if (page.next === null) throw new AppError('EXPORT_CHANGED')
      if (isGone()) return nothingMore
      if (pages % pagesPerQuestion === 0) await askAgain()
    }
  }

  return async () => await (isFound ? read() : findPlace())
}

/** Reads the next page of a file; each call continues where the last one ended. */
export type ReadFile = () => Promise<ExportPage<number, string | Uint8Array>>

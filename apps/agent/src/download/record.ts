import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { readAtMost, replacePrivateFile } from '../files/index.ts'

/** What we know about a file in the cache. The checksum of a first download is what later ones are compared with. */
interface FileRecord {
  url: string
  bytes: number
  sha256: string
  /** Of the file; if it is another one now, the file is read again before it is used. */
  modifiedAtMs: number
}

/** What is known about a file of which only the beginning is there. */
export interface PartRecord {
  url: string
  validator?: string
  totalBytes: number
}

const maxBytes = 65_536

/** Undefined for a record that is missing or not ours: then the file speaks for itself. */
async function readRecord(path: string): Promise<Record<string, unknown> | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  try {
    const value: unknown = JSON.parse((file && (await readAtMost(file, maxBytes))) ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

export async function readFileRecord(path: string): Promise<FileRecord | undefined> {
  const { url, bytes, sha256, modifiedAtMs } = (await readRecord(path)) ?? {}
  return typeof url === 'string' &&
    typeof bytes === 'number' &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof modifiedAtMs === 'number'
    ? { url, bytes, sha256, modifiedAtMs }
    : undefined
}

export async function readPartRecord(path: string): Promise<PartRecord | undefined> {
  const { url, validator, totalBytes } = (await readRecord(path)) ?? {}
  if (typeof url !== 'string' || typeof totalBytes !== 'number') return undefined
  return { url, totalBytes, ...(typeof validator === 'string' && { validator }) }
}

export const writeRecord = (path: string, record: FileRecord | PartRecord): Promise<void> =>
  replacePrivateFile(path, JSON.stringify(record))

/** Size and time of a file; undefined if there is none. */
export async function statFile(path: string): Promise<{ bytes: number; modifiedAtMs: number } | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() ? { bytes: stats.size, modifiedAtMs: stats.mtimeMs } : undefined
}

export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576, signal })) hash.update(chunk)
  return hash.digest('hex')
}

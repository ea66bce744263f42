import { createHash, type Hash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { codeOf } from '../files/index.ts'
import { Misuse } from '../misuse.ts'
import { type PartRecord, readPartRecord, writeRecord } from './record.ts'

/** The beginning of a file that is being downloaded. It outlives this process, also when that is killed. */
export interface PartFile {
  readonly bytes: number
  readonly record: PartRecord | undefined
  /** Forgets what is there, and begins a file with this record. */
  begin(record: PartRecord): Promise<void>
  append(chunk: Uint8Array): Promise<void>
  /** Waits until everything is on the disk. Returns the checksum. */
  finish(): Promise<string>
  discard(): Promise<void>
  /** Forgets what is there: it is the beginning of another file. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openPart(path: string, signal: AbortSignal): Promise<PartFile> {
  const recordPath = `${path}.json`
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags, 0o600)
  let record = await readPartRecord(recordPath)
  let bytes = (await file.stat()).size
  let hash: Hash = createHash('sha256')
  if (record === undefined || bytes > record.totalBytes) {
    record = undefined
    bytes = 0
    await file.truncate(0)
  } else if (bytes > 0) {
    for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576, signal })) hash.update(chunk)
  }
  return {
    get bytes() {
      return bytes
    },
    get record() {
      return record
    },
    async begin(next) {
      // The record first: bytes of one file must never stand under the record of another.
      await file.truncate(0)
      await writeRecord(recordPath, next)
      record = next
      bytes = 0
      hash = createHash('sha256')
    },
    async append(chunk) {
      await write(file, chunk, bytes)
      hash.update(chunk)
      bytes += chunk.length
    },
    async finish() {
      await file.sync().catch(explainFullDisk)
      return hash.copy().digest('hex')
    },
    async discard() {
      await rm(recordPath, { force: true })
      await rm(path, { force: true })
    },
    async restart() {
      await rm(recordPath, { force: true })
      await file.truncate(0)
      record = undefined
      bytes = 0
      hash = createHash('sha256')
    },
    close: () => file.close(),
  }
}

async function write(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await file
      .write(chunk, written, chunk.length - written, position + written)
      .catch(explainFullDisk)
    written += bytesWritten
  }
}

function explainFullDisk(error: unknown): never {
  const code = codeOf(error)
  if (code !== undefined && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    throw new Misuse(
      `There is no space left on the disk (${code}). Free some and run the command again: what was downloaded is kept.`,
    )
  throw error
}

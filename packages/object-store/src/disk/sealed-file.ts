import { type FileHandle, open } from 'node:fs/promises'
import type { ChecksumName } from '../body/checksums.ts'
import { codeOf } from './durable.ts'

/** What is known about stored bytes. */
export interface Facts {
  size: number
  etag: string
  /** Epoch milliseconds. */
  modifiedAt: number
  checksum?: { name: ChecksumName; value: string } | undefined
}

export interface ObjectFacts extends Facts {
  key: string
  /** Content-Type, x-amz-meta-* and the like, as they are sent with the object. */
  headers: Record<string, string>
  /** Where the bytes are, if the object was uploaded in parts: they stay where they are. */
  pieces?: Pieces
}

export interface Pieces {
  uploadId: string
  parts: { number: number; size: number; etag: string }[]
}

// A stored file is its bytes, then its facts as JSON, the length of that JSON, and this mark. One rename therefore
// publishes both, and the bytes begin at 0.
const mark = Buffer.from('ATRIUM01', 'latin1')
const footerBytes = 4 + mark.length
/** Facts of 10,000 parts have about 600 KB. */
const maxFactsBytes = 4_194_304
/** Usually holds all facts. */
const firstReadBytes = 4_096

/** Writes the facts behind the first `dataBytes` and waits until all of the file is on the disk. */
export async function seal(file: FileHandle, dataBytes: number, facts: Facts | ObjectFacts): Promise<void> {
  const json = Buffer.from(JSON.stringify(facts))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  await file.truncate(dataBytes)
  const footer = Buffer.concat([json, length, mark])
  let written = 0
  while (written < footer.length)
    written += (await file.write(footer, written, footer.length - written, dataBytes + written)).bytesWritten
  await file.datasync()
}

export class DamagedFile extends Error {}

export async function readFacts<Kind extends Facts>(file: FileHandle): Promise<Kind> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - firstReadBytes), Math.min(size, firstReadBytes))
  const footer = tail.subarray(-footerBytes)
  if (footer.length < footerBytes || !footer.subarray(4).equals(mark)) throw new DamagedFile('has no facts')
  const length = footer.readUInt32BE(0)
  const start = size - footerBytes - length
  if (length > maxFactsBytes || start < 0) throw new DamagedFile('has facts of an impossible length')
  const json =
    length + footerBytes <= tail.length
      ? tail.subarray(-footerBytes - length, -footerBytes)
      : await readAt(file, start, length)
  const facts = parseFacts<Kind>(json)
  const dataBytes = 'pieces' in facts && facts.pieces !== undefined ? 0 : facts.size
  if (dataBytes !== start) throw new DamagedFile('has another size than its facts say')
  return facts
}

function parseFacts<Kind extends Facts>(json: Buffer): Kind {
  try {
    return JSON.parse(json.toString('utf8')) as Kind
  } catch {
    throw new DamagedFile('has facts that cannot be read')
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new DamagedFile('ends early')
  return buffer
}

/** The facts of a file, or undefined if there is none. */
export async function factsAt<Kind extends Facts>(path: string): Promise<Kind | undefined> {
  const file = await openIfThere(path)
  if (!file) return undefined
  try {
    return await readFacts<Kind>(file)
  } finally {
    await file.close()
  }
}

export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    // ENOTDIR does not occur: folders and files have different names.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import { manifestName, objectFileOf, type WrittenFile } from './backup-layout.ts'

/** A backup that somebody brings. Nothing in it is believed before its hash has been compared. */
export interface StoredBackup {
  readManifest(maxBytes: number): Promise<string>
  /** Compares `<name>.jsonl.gz` with what the manifest says. */
  compareLines(name: string, expected: WrittenFile): Promise<Comparison>
  compareObject(number: number, expected: WrittenFile): Promise<Comparison>
  /** The compressed bytes of `<name>.jsonl.gz`. */
  openLines(name: string): Readable
  openObject(number: number, range?: { first: number; last: number }): Readable
}

type Comparison = 'same' | 'other' | 'missing'

export function openBackupFolder(path: string): StoredBackup {
  const folder = resolve(path)
  const compare = async (file: string, expected: WrittenFile): Promise<Comparison> => {
    const size = await sizeOf(folder, file)
    if (size === undefined) return 'missing'
    // Before it is read: a file with a hole in it may have terabytes.
    return size === expected.bytes && (await isSame(join(folder, file), expected)) ? 'same' : 'other'
  }
  return {
    async readManifest(maxBytes) {
      const size = await sizeOf(folder, manifestName)
      if (size === undefined)
        throw new TransferRefused(
          `${folder} is not a whole backup: it has no ${manifestName}, which is written last.`,
        )
      const file = join(folder, manifestName)
      if (size > maxBytes) throw new TransferRefused(`${file} is too large to be a manifest.`)
      const opened = await open(file)
      try {
        return await opened.readFile('utf8')
      } finally {
        await opened.close()
      }
    },
    compareLines: (name, expected) => compare(linesFileOf(name), expected),
    compareObject: (number, expected) => compare(objectFileOf(number), expected),
    openLines: (name) => createReadStream(join(folder, linesFileOf(name))),
    openObject: (number, range) =>
      createReadStream(join(folder, objectFileOf(number)), range && { start: range.first, end: range.last }),
  }
}

const linesFileOf = (name: string): string => `${name}.jsonl.gz`

/**
 * Undefined if there is no such file. Links are refused, also instead of the folders in between: a backup holds its own files, and none
 * of this machine. The folder itself may be behind one.
 */
async function sizeOf(folder: string, file: string): Promise<number | undefined> {
  const path = join(folder, file)
  const facts = await lstat(path).catch(() => undefined)
  if (!facts) return undefined
  if (!facts.isFile() || (await realpath(path)) !== join(await realpath(folder), file))
    throw new TransferRefused(`The backup is damaged: ${file} is not a file of its own.`)
  return facts.size
}

async function isSame(path: string, expected: WrittenFile): Promise<boolean> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return bytes === expected.bytes && hash.digest('hex') === expected.sha256
}

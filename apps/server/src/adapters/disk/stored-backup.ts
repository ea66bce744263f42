import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import { manifestName, objectFileOf, type WrittenFile } from './backup-layout.ts'

/** A backup that somebody brings. Nothing in it is believed before its hash has been compared. */
export interface StoredBackup {
  readManifest(maxBytes: number): Promise<string>
  /** Size and hash of `<name>.jsonl.gz`; undefined if there is no such file. */
  measure(name: string): Promise<WrittenFile | undefined>
  measureObject(number: number): Promise<WrittenFile | undefined>
  /** The compressed bytes of `<name>.jsonl.gz`. */
  openLines(name: string): Readable
  openObject(number: number, range?: { first: number; last: number }): Readable
}

export function openBackupFolder(path: string): StoredBackup {
  const folder = resolve(path)
  return {
    async readManifest(maxBytes) {
      const file = join(folder, manifestName)
      const facts = await stat(file).catch(() => undefined)
      if (!facts?.isFile())
        throw new TransferRefused(
          `${folder} is not a whole backup: it has no ${manifestName}, which is written last.`,
        )
      if (facts.size > maxBytes) throw new TransferRefused(`${file} is too large to be a manifest.`)
      const opened = await open(file)
      try {
        return await opened.readFile('utf8')
      } finally {
        await opened.close()
      }
    },
    measure: (name) => measureFile(join(folder, `${name}.jsonl.gz`)),
    measureObject: (number) => measureFile(join(folder, objectFileOf(number))),
    openLines: (name) => createReadStream(join(folder, `${name}.jsonl.gz`)),
    openObject: (number, range) =>
      createReadStream(join(folder, objectFileOf(number)), range && { start: range.first, end: range.last }),
  }
}

async function measureFile(path: string): Promise<WrittenFile | undefined> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts?.isFile()) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TransferRefused } from '../../kernel/transfer-errors.ts'
import { manifestName, objectFileOf, type WrittenFile } from './backup-layout.ts'
import { keepPrivate } from './private-folder.ts'

/** A backup while it is written. Until `publish` it has no manifest, and nobody takes it for a whole one. */
export interface NewBackup {
  /** Writes lines, each of which ends with a newline, as `<name>.jsonl.gz`. Durable when it resolves. */
  writeLines(name: string, lines: AsyncIterable<string>): Promise<WrittenFile>
  /** Durable when it resolves. */
  writeObject(number: number, bytes: AsyncIterable<Uint8Array>): Promise<WrittenFile>
  dropObject(number: number): Promise<void>
  publish(manifest: string): Promise<void>
  /** Removes everything, so that an attempt that failed does not keep a disk full. */
  discard(): Promise<void>
}

/** Fast rather than small: the server may be running on the same machine. */
const gzipLevel = 1

export async function createBackupFolder(path: string): Promise<NewBackup> {
  const folder = resolve(path)
  const isNew = await makeEmpty(folder)
  const made = new Set<string>()

  async function placeFor(file: string): Promise<string> {
    const target = join(folder, file)
    const parent = dirname(target)
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 })
    made.add(parent)
    return target
  }

  async function write(
    file: string,
    chunks: AsyncIterable<string | Uint8Array>,
    steps: Transform[],
  ): Promise<WrittenFile> {
    const target = await placeFor(file)
    const hash = createHash('sha256')
    let bytes = 0
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        bytes += chunk.length
        done(null, chunk)
      },
    })
    // `flush` waits for the disk before the file is closed.
    const sink = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline([Readable.from(chunks), ...steps, count, sink])
    return { bytes, sha256: hash.digest('hex') }
  }

  return {
    writeLines: (name, lines) => write(`${name}.jsonl.gz`, lines, [createGzip({ level: gzipLevel })]),
    writeObject: (number, bytes) => write(objectFileOf(number), bytes, []),
    dropObject: (number) => rm(join(folder, objectFileOf(number)), { force: true }),
    async publish(manifest) {
      for (const parent of made) await syncFolder(parent)
      const draft = join(folder, `${manifestName}.draft`)
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(manifest)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, join(folder, manifestName))
      for (const parent of [join(folder, 'objects'), folder, dirname(folder)]) await syncFolder(parent)
    },
    async discard() {
      if (isNew) return await rm(folder, { recursive: true, force: true })
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    },
  }
}

/** Whether the folder was made. One that exists must be empty. */
async function makeEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new TransferRefused(`${folder} cannot be used: ${error.message}.`)
  })
  if (names === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return true
  }
  if (names.includes(manifestName))
    throw new TransferRefused(`${folder} already holds a backup, which is never overwritten.`)
  if (names.length > 0)
    throw new TransferRefused(
      `${folder} is not empty. If this is a backup that was interrupted, delete it; otherwise choose another folder.`,
    )
  // Whoever may write to it could put something in the place of our files. A folder of another user stays as it is: they own it anyway.
  await keepPrivate(folder, () => undefined)
  return false
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return // Folders cannot be opened there.
  const folder = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  await folder?.sync()
  await folder?.close()
}

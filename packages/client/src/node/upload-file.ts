import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../ids.ts'
import type { UploadMemory } from '../upload/upload-memory.ts'
import { startUpload, type Upload, type UploadOptions } from '../upload/upload-video.ts'
import { diskSource } from './file-source.ts'

/** As `uploadVideo`, for a file on disk. By default a restarted program resumes what it had begun. */
export async function uploadFile(path: string, options: UploadOptions): Promise<Upload> {
  return startUpload(await diskSource(path), { memory: fileMemory(), ...options })
}

/** Where programs keep what they should find again after a restart. */
const defaultFolder = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'atrium', 'uploads')

/** Remembers uploads, each in a file of its own, so that several at once, also of several programs, do not disturb each other. */
export function fileMemory(folder: string = defaultFolder()): UploadMemory {
  const fileOf = (name: string): string =>
    join(folder, `${createHash('sha256').update(name).digest('hex')}.json`)
  return {
    async recall(name) {
      // Nothing has been kept yet, or it cannot be read: the upload then begins anew.
      return await readFile(fileOf(name), 'utf8').catch(() => null)
    },
    /** Written beside it first, so that an interruption leaves the old file. */
    async keep(name, value) {
      const file = fileOf(name)
      const draft = `${file}.${newId()}`
      await mkdir(folder, { recursive: true })
      await writeFile(draft, value, { mode: 0o600 })
      await rename(draft, file)
    },
    async forget(name) {
      await rm(fileOf(name), { force: true })
    },
  }
}

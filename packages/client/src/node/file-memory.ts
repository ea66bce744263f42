import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isRecord } from '../records.ts'
import type { UploadMemory } from '../upload/upload-memory.ts'

/** Where programs keep what they should find again after a restart. */
const defaultFile = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'atrium', 'uploads.json')

/** Remembers uploads in a file of its own. */
export function fileMemory(file: string = defaultFile()): UploadMemory {
  async function readAll(): Promise<Record<string, unknown>> {
    try {
      const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
      return isRecord(kept) ? kept : {}
    } catch {
      return {} // Nothing has been kept yet, or it cannot be read: the upload then begins anew.
    }
  }

  /** Written beside it first, so that an interruption leaves the old file. */
  async function writeAll(all: Record<string, unknown>): Promise<void> {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.new`, JSON.stringify(all, null, 2), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  return {
    async recall(name) {
      const value = (await readAll())[name]
      return typeof value === 'string' ? value : null
    },
    async keep(name, value) {
      await writeAll({ ...(await readAll()), [name]: value })
    },
    async forget(name) {
      const { [name]: _done, ...others } = await readAll()
      await writeAll(others)
    },
  }
}

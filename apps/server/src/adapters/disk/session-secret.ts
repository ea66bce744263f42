import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** R12: the embedded mode makes a secret once and keeps it where only its own user may read it. */
export async function keepSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'session-secret')
  await mkdir(dataDir, { recursive: true })
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

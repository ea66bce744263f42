import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { keepPrivate } from './private-folder.ts'

/** Secrets that the server makes itself, each in a file of this name. */
export type SecretName = 'session-secret' | 'credential-secret'

/** Ours have 43 characters. A crash of the machine may leave the file empty, truncated or full of NUL. */
const sound = /^[\x21-\x7e]{32,4096}$/

/** What the same secrets are called in the database of several instances. */
export const secretNamesInDatabase: Record<SecretName, string> = {
  'session-secret': 'session_secret',
  'credential-secret': 'credential_secret',
}

/** R12: in embedded mode, creates a secret once and keeps it where only its own user can read it. */
export async function keepSecret(
  dataDir: string,
  name: SecretName,
  onShared: (path: string) => void,
): Promise<string> {
  const file = join(dataDir, name)
  if (!existsSync(file)) await writeWhole(file, randomBytes(32).toString('base64url'))
  const secret = await findSecret(dataDir, name, onShared)
  if (secret !== undefined) return secret
  throw new Error(
    `${file} is not a ${name.replace('-', ' ')}, which has at least 32 printable characters; remove the file to have a new one made${losses[name]}`,
  )
}

/** Undefined if there is none, or none that can be used. */
export async function findSecret(
  dataDir: string,
  name: SecretName,
  onShared: (path: string) => void,
): Promise<string | undefined> {
  const file = join(dataDir, name)
  if (!existsSync(file)) return undefined
  await keepPrivate(file, onShared)
  const secret = (await readFile(file, 'utf8')).trim()
  return sound.test(secret) ? secret : undefined
}

const losses: Record<SecretName, string> = {
  'session-secret': '',
  'credential-secret': '. API keys that are encrypted with the old one then have to be entered again',
}

/** Stores a secret of another installation. Never replaces one: what it signed or encrypted would be lost. */
export async function adoptSecret(dataDir: string, name: SecretName, secret: string): Promise<void> {
  const file = join(dataDir, name)
  // No server would start with it.
  if (!sound.test(secret)) throw new Error(`the ${name.replace('-', ' ')} that comes along cannot be used`)
  if (!existsSync(file)) return await writeWhole(file, secret)
  if ((await readFile(file, 'utf8')).trim() !== secret)
    // Not a refusal: the tables have been filled by now.
    throw new Error(
      `${file} is the secret of another installation, and is never replaced: move it away, and begin again.`,
    )
}

/**
 * Written completely or not at all, even after a crash. Nobody else writes here: the server holds the folder's lock.
 */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = await open(`${file}.draft`, 'w', 0o600)
  try {
    await draft.writeFile(text)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.draft`, file)
}

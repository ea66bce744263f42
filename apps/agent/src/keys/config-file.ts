import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import {
  codeOf,
  createPrivateFile,
  ensurePrivateFolder,
  isOfAnotherUser,
  isOpenToOthers,
  readAtMost,
  replacePrivateFile,
} from '../files/index.ts'
import { Misuse } from '../misuse.ts'

interface KeyOptions {
  folder: string
  /** Makes a new key, whatever is there. */
  regenerate: boolean
  say(text: string): void
}

const fileName = 'config.json'
const maxBytes = 65_536

/** The API key of this user: the one that was made before, or a new one, which is kept. */
export async function readOrCreateKey({ folder, regenerate, say }: KeyOptions): Promise<string> {
  await ensurePrivateFolder(folder, say)
  const path = join(folder, fileName)
  const known = await readConfig(path, { isReplaced: regenerate, say })
  if (known !== undefined && !regenerate) return keyIn(known, path)
  const apiKey = newApiKey()
  const text = `${JSON.stringify({ ...known, apiKey }, null, 2)}\n`
  if (regenerate) {
    await replacePrivateFile(path, text)
    return apiKey
  }
  // Two first runs at the same time must end with one key.
  return (await createPrivateFile(path, text)) ? apiKey : readOrCreateKey({ folder, regenerate, say })
}

/** The API key that was made before; undefined if there is none. */
export async function readKey(folder: string, say: (text: string) => void): Promise<string | undefined> {
  const path = join(folder, fileName)
  const known = await readConfig(path, { isReplaced: false, say })
  return known && keyIn(known, path)
}

type Config = Record<string, unknown>

function keyIn(config: Config, path: string): string {
  if (isApiKey(config.apiKey)) return config.apiKey
  throw new Misuse(
    `${path} has no API key of this tool. Make a new one with --regenerate-key, and enter it in the console.`,
  )
}

/** Undefined if there is none, or if a broken one is going to be replaced anyway. */
async function readConfig(
  path: string,
  { isReplaced, say }: { isReplaced: boolean; say(text: string): void },
): Promise<Config | undefined> {
  await refuseLink(path)
  const file = await openConfig(path)
  if (file === undefined) return undefined
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Misuse(`${path} is not a file. Remove it; a new one is created.`)
    if (isOfAnotherUser(stats.uid))
      throw new Misuse(
        `${path} belongs to another user (${stats.uid}). Run the command as that user, or remove the file.`,
      )
    if (isOpenToOthers(stats.mode)) {
      await file.chmod(0o600)
      say(
        `${path} could be read by other users of this machine. It is closed to them now; make a new key with --regenerate-key if they may have read it.`,
      )
    }
    return parseConfig((await readAtMost(file, maxBytes)) ?? '', path, isReplaced)
  } finally {
    await file.close()
  }
}

async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSymbolicLink())
    throw new Misuse(`${path} is a symbolic link. Replace it by the file itself, or remove it.`)
}

async function openConfig(path: string): Promise<FileHandle | undefined> {
  try {
    // A link that was put there since is not followed either. A pipe must not make us wait.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Misuse(
      `${path} cannot be read (${codeOf(error)}). Make it readable for this user (chmod 600), or remove it; then a new key is made.`,
    )
  }
}

function parseConfig(text: string, path: string, isReplaced: boolean): Config | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Config
  } catch {
    // Explained below, in the same way as JSON that is no object.
  }
  if (isReplaced) return undefined
  throw new Misuse(
    `${path} is not the JSON that this tool wrote. Repair it, or make a new file and key with --regenerate-key.`,
  )
}

/** R46: every key of ours begins so, so that people and secret scanners recognise it. */
const prefix = 'atr_'
const secretBytes = 32

export const newApiKey = (): string => prefix + randomBytes(secretBytes).toString('base64url')

/** 32 bytes are 43 characters in base64url. */
const isApiKey = (text: unknown): text is string =>
  typeof text === 'string' && /^atr_[A-Za-z0-9_-]{43}$/.test(text)

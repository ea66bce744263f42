import type { Stats } from 'node:fs'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { Misuse } from '../misuse.ts'

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Others may neither read nor write. On Windows, a user's folders are private by themselves. */
export const isOpenToOthers = (mode: number): boolean => process.platform !== 'win32' && (mode & 0o077) !== 0

export const isOfAnotherUser = (uid: number): boolean => {
  const own = process.geteuid?.()
  return own !== undefined && uid !== own
}

/**
 * Creates a folder that only this user can enter, or makes sure that the one that is there is such a folder. Whoever could
 * write to it could give us a key or a program of theirs. Says so if it had to be closed.
 */
export async function ensurePrivateFolder(path: string, say: (text: string) => void): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    // EEXIST: there is something else, which is explained below.
    if (codeOf(error) === 'EEXIST') return
    throw new Misuse(
      `The folder ${path} cannot be created (${codeOf(error)}). Make the folder above it writable for this user, or set HOME to another one.`,
    )
  })
  await closeFolder(path, say)
}

/** The same for a folder that need not be there: before anything in it is used, and without creating it. */
export async function closeFolder(path: string, say: (text: string) => void): Promise<void> {
  const stats = await expectOwnFolder(path)
  if (stats === undefined || !isOpenToOthers(stats.mode)) return
  await chmod(path, 0o700)
  say(`${path} was open to other users of this machine. It is closed to them now.`)
}

/** Refuses what is no folder of this user. Undefined if there is nothing; changes nothing. */
export async function expectOwnFolder(path: string): Promise<Stats | undefined> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined
    throw new Misuse(`The folder ${path} cannot be read (${codeOf(error)}). Check the folders above it.`)
  })
  if (stats === undefined) return undefined
  if (stats.isSymbolicLink())
    throw new Misuse(`${path} is a symbolic link. Remove it; a folder is created in its place.`)
  if (!stats.isDirectory())
    throw new Misuse(`${path} is not a folder. Remove it; a folder is created in its place.`)
  if (isOfAnotherUser(stats.uid))
    throw new Misuse(
      `The folder ${path} belongs to another user (${stats.uid}). Run the command as that user, or set HOME (and XDG_CONFIG_HOME and XDG_CACHE_HOME, if they are set) to a folder of your own.`,
    )
  return stats
}

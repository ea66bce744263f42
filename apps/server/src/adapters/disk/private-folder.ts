import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Folders that the server itself creates in its folder. */
const ownFolders = ['objects', 'transcoding']
/** And all names that it creates there. */
const own = new RegExp(`^(atrium\\.db|server\\.lock|${ownFolders.join('|')}|[a-z]+-secret)([-.].+)?$`)
const others = 0o077
const sticky = 0o1000

export interface PrivateFolder {
  /** Files that hold secrets or data; created empty if `make` is set. */
  files: readonly { name: string; make: boolean }[]
  /** Called for a path that other users may read and that we cannot change. */
  onShared(path: string): void
}

/** A folder and files that only our user may read, created if missing (0700 and 0600). */
export async function openPrivateFolder(folder: string, { files, onShared }: PrivateFolder): Promise<void> {
  await makeFolder(folder)
  const isOwn = await isOurs(folder)
  if (isOwn) await keepPrivate(folder, onShared)
  for (const { name, make } of files) {
    const path = join(folder, name)
    // SQLite gives its -wal and -shm the mode of the database, so the file must be private before it is opened.
    if (make) await (await open(path, 'a', 0o600)).close()
    if (existsSync(path)) await keepPrivate(path, onShared)
  }
  for (const path of ownFolders.map((name) => join(folder, name)))
    if (existsSync(path)) await keepPrivate(path, onShared)
  if (!isOwn && (await isShared(folder))) onShared(folder)
}

/** Removes other users' permissions from a file or folder of ours. */
export async function keepPrivate(path: string, onShared: (path: string) => void): Promise<void> {
  if (!(await isShared(path))) return
  const { mode, uid } = await stat(path)
  // On a read-only file system, or one without modes, we can only report it.
  if (uid === process.getuid?.()) await chmod(path, mode & 0o700).catch(() => undefined)
  if (await isShared(path)) onShared(path)
}

async function isShared(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false // Modes say nothing there.
  return ((await stat(path)).mode & others) !== 0
}

/** The path may be /tmp or somebody's home: a folder with anything else in it keeps its mode. */
async function isOurs(folder: string): Promise<boolean> {
  const isForEveryone = ((await stat(folder)).mode & sticky) !== 0
  return !isForEveryone && (await readdir(folder)).every((name) => own.test(name))
}

/**
 * Not `mkdir` with `recursive`: where a file system answers ENOENT although the parent exists, as /proc does, Node
 * creates the parent and retries forever.
 */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error // Another server may start beside us.
  })
}

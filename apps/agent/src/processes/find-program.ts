import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { Misuse } from '../misuse.ts'

export const executableName = (name: string, platform: string): string =>
  platform === 'win32' ? `${name}.exe` : name

/** The full path of a program that the operator named. `source` is the flag or variable that it came from. */
export async function expectProgram(path: string, source: string): Promise<string> {
  const full = resolve(path)
  if (await isProgram(full)) return full
  throw new Misuse(`${full} (from ${source}) is not a program that this user can run. Correct the path.`)
}

/** Only absolute folders: a program in the current folder may be anyone's. */
export async function findOnPath(
  name: string,
  env: NodeJS.ProcessEnv,
  platform: string,
): Promise<string | undefined> {
  for (const folder of (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(folder, executableName(name, platform))
    if (await isProgram(path)) return path
  }
  return undefined
}

/** Archives put their files into a folder or two. */
const maxDepth = 3

export async function programBelow(
  folder: string,
  name: string,
  platform: string,
  depth = 0,
): Promise<string | undefined> {
  const path = join(folder, executableName(name, platform))
  if (await isProgram(path)) return path
  if (depth === maxDepth) return undefined
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const found = await programBelow(join(folder, entry.name), name, platform, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

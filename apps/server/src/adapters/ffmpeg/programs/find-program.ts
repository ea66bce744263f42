import { access, constants, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The real path of a program on the search path, or undefined. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  for (const folder of folders) {
    const found = await runnable(join(folder, name))
    if (found !== undefined) return found
  }
  return undefined
}

/** The real path, if a program is there that we may run. */
export async function runnable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile() ? await realpath(path) : undefined
  } catch {
    return undefined // Missing or forbidden: the same for us.
  }
}

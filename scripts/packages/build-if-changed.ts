import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { timed } from './timed.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Build {
  /** Said while it is made, with the time that it took. */
  doing: string
  /** What it writes, with the mark of what that was made from. */
  folder: string
  /** Patterns of what it reads, from the root; the lockfile stands for the packages. */
  sources: readonly string[]
  make(): Promise<void>
}

/** Makes a build unless its folder has the mark of the same sources. Returns whether it was made. */
export async function buildIfChanged(
  { doing, folder, sources, make }: Build,
  announce = timed,
): Promise<boolean> {
  const stamp = join(folder, '.built-from')
  const now = hashOf(sources)
  if (readIfThere(stamp) === now) return false
  await announce(doing, make)
  writeFileSync(stamp, now)
  return true
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync(patterns, { cwd: root, exclude: ['**/*.{test,more}.*', '**/test/**'] }).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Not built yet.
  }
}

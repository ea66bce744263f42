import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackageFacts } from '../judge/machine.ts'

interface LockEntry {
  version?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
}

const startingPoint = 'apps/server'

/** Compares what the server needs, by the lockfile, with what is installed. Uses Node alone: packages may be missing. */
export async function gatherPackages(root: string): Promise<PackageFacts> {
  const lock = await readJson<{ packages: Record<string, LockEntry> }>(join(root, 'package-lock.json'))
  if (!lock) return { needed: undefined, missing: [], different: [] }
  const paths = neededPaths(lock.packages)
  const missing: string[] = []
  const different: string[] = []
  await Promise.all(
    paths.map(async (path) => {
      const installed = await readJson<{ version?: string }>(join(root, path, 'package.json'))
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (!installed) missing.push(name)
      else if (installed.version !== lock.packages[path]?.version) different.push(name)
    }),
  )
  return { needed: paths.length, missing: missing.sort(), different: different.sort() }
}

/** Paths of all packages from npm that the server needs, directly or not. Optional ones are not among them. */
export function neededPaths(packages: Record<string, LockEntry>): string[] {
  const seen = new Set<string>()
  const waiting = [startingPoint]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const found = resolve(packages, path, name)
      if (found !== undefined) waiting.push(found)
    }
  }
  return [...seen].filter((path) => path.includes('node_modules/')).sort()
}

/** As Node looks for a package: in the folder itself, then in those above it. */
function resolve(packages: Record<string, LockEntry>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    const entry = packages[path]
    if (entry) return entry.link ? entry.resolved : path
    if (folder === '') return undefined
  }
}

async function readJson<Content>(path: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content
  } catch {
    return undefined // Absent or damaged: to be installed again.
  }
}

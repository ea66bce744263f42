import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root, writeBundles } from '@atrium/bundler'
import { fileOf, programs, programsVariable } from './runnable.ts'

const cache = join(root, 'node_modules', '.cache', 'bundles')
const dayMs = 24 * 60 * 60_000

type Alias = { find: RegExp; replacement: string }

/** Packages of very many files that test files import. */
const packages = ['typebox', 'typebox/compile', 'typebox/value', 'kysely', 'kysely/migration', 'jose']
/**
 * Of our own packages, those that nearly every test file imports: reading the files of the contract takes 0.25 s of CPU.
 * They share one bundle with the packages above, because two copies of `typebox` would not know each other's schemas.
 */
const ourPackages = ['@atrium/contract', '@atrium/contract/components', '@atrium/testkit']

/** For Vitest, which resolves the imports of test files itself. While it watches, our own packages may change. */
export async function bundleAliases({ isWatching }: { isWatching: boolean }): Promise<Alias[]> {
  const names = isWatching ? packages : [...packages, ...ourPackages]
  const folder = await bundle(Object.fromEntries(names.map((name) => [fileOf(name), name])))
  return names.map((name) => ({
    find: new RegExp(`^${name}$`),
    replacement: join(folder, fileOf(name)),
  }))
}

/**
 * The folder with our programs, a file for each and chunks that they share. A server has about 2,000 modules; reading
 * them is half of the CPU of its start, and a run starts hundreds of servers.
 */
const bundlePrograms = (): Promise<string> =>
  bundle(Object.fromEntries(programs.map((path) => [fileOf(path), join(root, path)])))

/** From now on, this process and its children start our programs as an image does. */
export async function runFromBundles(): Promise<void> {
  process.env[programsVariable] = await bundlePrograms()
}

/**
 * For Vitest: worker threads that a test starts from our sources run from their bundles too. From its sources, each reads
 * its modules in a second of CPU, and an embedded database has two of them.
 */
export const threadsFromBundles = {
  name: 'threads-from-bundles',
  enforce: 'pre',
  transform(code: string, path: string): string | undefined {
    if (path.includes('/node_modules/') || !code.includes('new Worker(')) return undefined
    return code.replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (written: string, target: string) => {
      const program = relative(root, resolve(dirname(path), target))
      if (!programs.includes(program)) return written
      const folder = `process.env.${programsVariable}`
      return `(${folder} ? new URL('file://' + ${folder} + '/${fileOf(program)}') : ${written})`
    })
  },
} as const

/** Writes bundles into a folder that is named after what they contain. */
async function bundle(input: Record<string, string>): Promise<string> {
  mkdirSync(cache, { recursive: true })
  removeOld()
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  const output = await writeBundles(unfinished, input, (program) =>
    programs.includes(program) ? fileOf(program) : undefined,
  )
  const hash = createHash('sha256')
  for (const part of output) hash.update(part.type === 'chunk' ? part.code : part.source)
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // Otherwise an earlier run has left the same bundles.
    rmSync(unfinished, { recursive: true })
  }
  return folder
}

function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > dayMs) rmSync(path, { recursive: true, force: true })
  }
}

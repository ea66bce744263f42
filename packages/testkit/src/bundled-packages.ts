import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, VERSION } from 'rolldown'

/** The variable that names the folder of the bundles; `bundled-packages.hook.mjs` reads it. */
export const bundlesVariable = 'ATRIUM_TEST_BUNDLES'

/**
 * Packages of very many files: half of the 2,000 modules of a server are theirs. With one file for each, a server starts
 * with half of the CPU, and a run starts hundreds of servers and test files.
 */
const packages = ['typebox', 'typebox/compile', 'typebox/value', 'kysely', 'kysely/migration', 'jose']

/** The hook builds the same name. */
const entryOf = (name: string) => name.replace('/', '__')

const root = fileURLToPath(new URL('../../../', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'bundled')

/** Node's arguments for a program that reads the bundles instead of the packages; none outside a test run. */
export const bundleArguments = (): string[] =>
  process.env[bundlesVariable] === undefined
    ? []
    : ['--import', join(import.meta.dirname, 'bundled-packages.hook.mjs')]

/** For Vitest, which resolves the imports of test files itself. */
export async function bundleAliases(): Promise<{ find: RegExp; replacement: string }[]> {
  const folder = await bundlePackages()
  return packages.map((name) => ({
    find: new RegExp(`^${name}$`),
    replacement: join(folder, `${entryOf(name)}.mjs`),
  }))
}

/** The folder of the bundles, which are written again only when a version has changed. */
export async function bundlePackages(): Promise<string> {
  const folder = join(cache, fingerprint())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  const bundle = await rolldown({
    cwd: join(root, 'apps', 'server'),
    input: Object.fromEntries(packages.map((name) => [entryOf(name), name])),
    platform: 'node',
  })
  await bundle.write({ dir: unfinished, entryFileNames: '[name].mjs', chunkFileNames: '[hash].mjs' })
  await bundle.close()
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // Otherwise another run was faster.
    rmSync(unfinished, { recursive: true })
  }
  return folder
}

function fingerprint(): string {
  const names = new Set(packages.map((name) => name.split('/')[0] ?? name))
  const versions = [...names].map((name) =>
    readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
  )
  return createHash('sha256')
    .update(JSON.stringify([packages, VERSION, versions]))
    .digest('hex')
    .slice(0, 16)
}

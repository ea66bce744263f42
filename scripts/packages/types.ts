// Types of the packages: the compiler writes a declaration for every file, and they are bundled into one file for each
// entry, so that nobody can import what an entry does not export.
import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const hourMs = 3_600_000

/** The declarations of the contract and of the client, in a temporary folder until `use` has ended. */
export async function withDeclarations<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  // Inside the repository, because the compiler looks for packages from there upwards.
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  removeForgotten(cache)
  const folder = mkdtempSync(join(cache, 'declarations-'))
  try {
    const entries = ['contract/src/index.ts', 'client/src/index.ts', 'client/src/node/index.ts']
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'packages'),
      outDir: folder,
    }
    const files = entries.map((path) => join(root, 'packages', path))
    const config = join(folder, 'tsconfig.json')
    writeFileSync(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }),
    )
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    // With one checker: each of several would work out the types of the contract again, for 11 s of CPU instead of 5.
    await promisify(execFile)(process.execPath, [compiler, '--checkers', '1', '-p', config], { cwd: root })
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What builds have left that were ended in the middle, as `npm start` is with Ctrl-C. */
function removeForgotten(cache: string): void {
  for (const name of globSync('declarations-*', { cwd: cache })) {
    const path = join(cache, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > hourMs) rmSync(path, { recursive: true, force: true })
  }
}

export interface TypesToBundle {
  /** Folder of `withDeclarations`. */
  declarations: string
  /** Names of the written files without `.d.ts`, and their declarations. */
  entries: Record<string, string>
  into: string
  /** For a file without packages beside it: the types of the contract and of TypeBox are in it. */
  isSelfContained: boolean
}

export async function bundleTypes({ declarations, entries, into, isSelfContained }: TypesToBundle) {
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [name, join(declarations, path)]),
  )
  const inside = {
    '@atrium/contract': join(declarations, 'contract', 'src', 'index.d.ts'),
    typebox: join(root, 'node_modules', 'typebox', 'build', 'index.d.mts'),
  }
  const bundle = await rolldown({
    cwd: root,
    input,
    checks: { bundlerTimings: false },
    ...(!isSelfContained && { external: Object.keys(inside) }),
    plugins: [
      ...(isSelfContained ? [resolving(inside)] : []),
      distinctNames,
      withoutPaths,
      dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, resolver: 'oxc', sourcemap: false }),
    ],
  })
  await bundle.write({ dir: into, entryFileNames: '[name].ts', chunkFileNames: '[name]-[hash].d.ts' })
  await bundle.close()
}

/** The bundler names the temporary folder above each part; the same sources must give the same file. */
const withoutPaths: Plugin = {
  name: 'without-paths',
  renderChunk: { order: 'post', handler: (code) => code.replaceAll(/^\/\/ \S+\.d\.m?ts\n/gm, '') },
}

/** An alias would come too late: the contract is also found as a package, which has no declarations. */
const resolving = (names: Record<string, string>): Plugin => ({
  name: 'resolving',
  resolveId: { order: 'pre', handler: (name) => names[name] ?? null },
})

/**
 * TypeBox has type parameters with the name of a namespace, and a function with the name of a global type. Each is fine
 * in its own file, but in one file the bundler mixes them up.
 */
const distinctNames: Plugin = {
  name: 'distinct-names',
  transform: {
    order: 'pre',
    handler: (code, path) =>
      /[\\/]typebox[\\/]build[\\/]/.test(path) ? code.split('\n').map(withDistinctNames).join('\n') : null,
  },
}

const withDistinctNames = (line: string): string =>
  /^(import|export [{*])/.test(line)
    ? line
    : line
        .replaceAll(/\b(Result|ExtendsResult)\b(?!\.)/g, '$1_')
        .replaceAll(/(?<!function |[\w.])Record</g, 'globalThis.Record<')

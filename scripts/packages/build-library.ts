import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleTypes } from './types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Library {
  description: string
  /** Subpath of the package, the name of its files in `dist`, and its source. */
  entries: readonly { subpath: string; name: string; source: string }[]
}

export const libraries = {
  contract: {
    description: 'What an Atrium platform accepts and returns: schemas, routes, errors, component types',
    entries: [
      { subpath: '.', name: 'index', source: 'src/index' },
      { subpath: './components', name: 'components', source: 'src/components/index' },
      { subpath: './reference', name: 'reference', source: 'src/reference/index' },
    ],
  },
  client: {
    description: 'Takes part in experiments of an Atrium platform, from browsers and from Node',
    entries: [
      { subpath: '.', name: 'index', source: 'src/index' },
      { subpath: './node', name: 'node', source: 'src/node/index' },
    ],
  },
} satisfies Record<string, Library>

export type LibraryName = keyof typeof libraries

/**
 * Makes the package of a library in an empty folder of its own: modules and types for Node 20 or newer and for bundlers.
 * What it depends on stays outside, so that a program has one copy of it. The sources stay private: `npm publish` in their
 * folder is refused.
 */
export async function buildLibrary(name: LibraryName, declarations: string, folder: string): Promise<void> {
  await buildModules(name, folder)
  await bundleTypes({
    declarations,
    entries: Object.fromEntries(
      libraries[name].entries.map((entry) => [`${entry.name}.d`, `${name}/${entry.source}.d.ts`] as const),
    ),
    into: join(folder, 'dist'),
    isSelfContained: false,
  })
}

/** The package without its types, which take much longer. */
export async function buildModules(name: LibraryName, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const source = join(root, 'packages', name)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const { entries } = libraries[name]
  const names = Object.keys(manifest.dependencies)
  const bundle = await rolldown({
    cwd: source,
    input: Object.fromEntries(entries.map((entry) => [entry.name, `${entry.source}.ts`])),
    // Browsers and Node load the same files; what only Node has is in an entry of its own.
    platform: 'neutral',
    external: (id) =>
      id.startsWith('node:') || names.some((known) => id === known || id.startsWith(`${known}/`)),
    transform: { target: 'es2023' },
  })
  await bundle.write({ dir: join(folder, 'dist'), format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  if (existsSync(join(source, 'README.md')))
    copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packedManifest(name, manifest), null, 2)}\n`)
}

interface SourceManifest {
  name: string
  version: string
  license: string
  dependencies: Record<string, string>
}

function packedManifest(library: LibraryName, source: SourceManifest): object {
  const { description, entries } = libraries[library]
  const { name, version, license, dependencies } = source
  const exported = entries.map((entry) => [
    entry.subpath,
    { types: `./dist/${entry.name}.d.ts`, default: `./dist/${entry.name}.js` },
  ])
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(exported),
    files: ['dist'],
    engines: { node: '>=20' },
    dependencies,
  }
}

// What the server serves to browsers: the SDK, its types, and the pages. Each is built apart, so that a change rebuilds
// only what it concerns, and a start need not wait for the types.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, buildIfChanged } from './build-if-changed.ts'
import { timed } from './timed.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = join(root, 'apps', 'web', 'dist')
const sdkFolder = join(root, 'packages', 'client', 'dist', 'sdk')
const typesFolder = join(root, 'packages', 'client', 'dist', 'types')

const sourcesOfSdk = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/packages/*.ts',
  'packages/{client,contract}/src/**/*.ts',
]

const sdk: Build = {
  doing: 'building the SDK',
  folder: sdkFolder,
  sources: sourcesOfSdk,
  make: async () => (await import('./build-sdk.ts')).buildSdk(sdkFolder),
}

const types: Build = {
  doing: 'building the types of the SDK',
  folder: typesFolder,
  sources: sourcesOfSdk,
  make: async () => (await import('./build-sdk.ts')).buildSdkTypes(typesFolder),
}

const pages: Build = {
  doing: 'building the pages',
  folder: dist,
  sources: [
    ...sourcesOfSdk,
    'apps/web/{src,public}/**/*.*',
    'apps/web/*.*',
    'packages/design/**/*.*',
    'examples/own-page/*.html',
    'examples/*.json',
  ],
  make: async () => (await import('./build-pages.ts')).buildPages(dist, sdkFolder),
}

/** The pages, and the SDK for pages of other sites. */
export async function buildWebApp(): Promise<void> {
  await buildIfChanged(sdk)
  await buildIfChanged(pages)
}

/** After the pages, whose build empties the folder. */
export async function addTypes(announce = timed): Promise<void> {
  const served = join(dist, 'sdk', 'atrium.d.ts')
  const isNew = await buildIfChanged(types, announce)
  if (!isNew && existsSync(served)) return
  mkdirSync(join(dist, 'sdk'), { recursive: true })
  copyFileSync(join(typesFolder, 'atrium.d.ts'), served)
}

/** For what is packaged. A server compresses the rest when it is first asked for it. */
export async function compressWebApp(): Promise<void> {
  const { compressFiles, uncompressedIn } = await import('./compress-files.ts')
  const files = uncompressedIn(dist)
  if (files.length > 0) await timed('compressing the pages', () => compressFiles(files))
}

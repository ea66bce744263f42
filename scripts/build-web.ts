// `npm run build`: builds the web app and the SDK that the server serves beside it, unless the last build is up to date.
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { buildSdk } from './packages/build-sdk.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'apps', 'web')
/** Built apart, because its types take longer than all pages, and most changes concern only the pages. */
const sdk = join(root, 'packages', 'client', 'dist', 'sdk')

/** What the build of the SDK reads; the lockfile stands for the packages. */
const sourcesOfSdk = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/{build-web.ts,packages/*.ts}',
  'packages/{client,contract}/src/**/*.ts',
]
/** What the build of the pages reads besides. */
const sources = [
  ...sourcesOfSdk,
  'apps/web/{src,public}/**/*.*',
  'apps/web/*.*',
  'packages/face/**/*.*',
  'examples/own-page/*.html',
  'examples/*.json',
]

function hashOf(patterns: string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync(patterns, { cwd: root, exclude: ['**/*.{test,more}.*', '**/test/**'] }).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/** Runs a build unless its folder has the mark of the same sources. */
async function buildIfChanged(folder: string, patterns: string[], make: () => Promise<void>): Promise<void> {
  const stamp = join(folder, '.built-from')
  const now = hashOf(patterns)
  if (readIfThere(stamp) === now) return
  await make()
  writeFileSync(stamp, now)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Not built yet.
  }
}

await buildIfChanged(join(web, 'dist'), sources, async () => {
  await buildIfChanged(sdk, sourcesOfSdk, async () => {
    console.error('atrium: building the SDK')
    await buildSdk(sdk)
    for (const name of ['atrium.js', 'atrium.d.ts']) {
      const content = readFileSync(join(sdk, name))
      writeFileSync(join(sdk, `${name}.br`), brotliCompressSync(content))
      writeFileSync(join(sdk, `${name}.gz`), gzipSync(content))
    }
  })
  console.error('atrium: building the web app')
  for (const mode of ['participants', 'researchers'])
    await build({ root: web, configFile: join(web, 'vite.config.ts'), mode, logLevel: 'warn' })
  cpSync(sdk, join(web, 'dist', 'sdk'), { recursive: true })
  copyFileSync(
    join(root, 'examples', 'own-page', 'index.html'),
    join(web, 'dist', 'examples', 'own-page.html'),
  )
})

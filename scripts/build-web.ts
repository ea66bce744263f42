// `npm run build`: builds the web app unless the last build is up to date.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'apps', 'web')
const stamp = join(web, 'dist', '.built-from')

/** Everything that a build reads; the lockfile stands for the packages. */
const sources = [
  'package-lock.json',
  'apps/web/{src,public}/**/*.*',
  'apps/web/*.*',
  'packages/{client,contract}/src/**/*.ts',
]

/** Includes this file: when it changes, the web app is rebuilt. */
function hashOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const path of globSync(sources, { cwd: root, exclude: ['**/*.test.*'] }).sort())
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function lastBuild(): string | undefined {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined // Not built yet.
  }
}

const now = hashOfSources()
if (lastBuild() !== now) {
  console.error('atrium: building the web app')
  await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(stamp, now)
}

import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file and every file of ours that it imports, directly or not. */
function reachableFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g))
    reachableFrom(join(dirname(path), imported), found)
  return found
}

test('settings of npm are there while packages are installed, and not in the image', () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', '')
  const [, programs = ''] = /^FROM source AS programs\n([\s\S]*?)^FROM /m.exec(dockerfile) ?? []
  const commands = programs.split(/&&|\n/).map((command) => command.trim())
  const installing = commands.findIndex((command) => /^RUN npm ci /.test(command))
  const removing = commands.findIndex((command) => /^rm -rf (?:.* )?\.npmrc\b/.test(command))
  expect(installing).toBeGreaterThanOrEqual(0)
  expect(removing).toBeGreaterThan(installing)
})

test('the image is built from everything that the build of the pages imports', () => {
  const included = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  const needed = [...reachableFrom(join(root, 'scripts/build-web.ts'))].map((path) => relative(root, path))
  expect(needed.length).toBeGreaterThan(1)
  const missing = needed.filter(
    (path) => !included.some((kept) => path === kept || path.startsWith(`${kept}/`)),
  )
  expect(missing).toEqual([])
})

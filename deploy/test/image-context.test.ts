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

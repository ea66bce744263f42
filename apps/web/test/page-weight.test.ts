import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const dist = join(import.meta.dirname, '..', 'dist')
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))

/** What a page loads before any of its own code runs. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[entry]
  if (!chunk) throw new Error(`${entry} is not in the manifest of the build`)
  if (found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const name of chunk.imports ?? []) filesOf(name, found)
  return found
}

/** As it is sent: small files have no compressed form. */
function bytesOf(files: Iterable<string>, ending: 'br' | 'gz'): number {
  const sizes = [...files].map((file) => {
    const path = join(dist, file)
    return statSync(existsSync(`${path}.${ending}`) ? `${path}.${ending}` : path).size
  })
  return sizes.reduce((total, size) => total + size, 0)
}

/** What we aim at is 130 kB. Until the page is there, it may at least not become heavier. */
const aimKilobytes = 130
const mostKilobytes = 210

test('the participant’s page does not become heavier', () => {
  const files = filesOf('index.html')
  const [brotli, gzip] = [bytesOf(files, 'br') / 1_000, bytesOf(files, 'gz') / 1_000]
  console.log(
    `JavaScript of the participant’s page: ${brotli.toFixed(1)} kB with Brotli, ${gzip.toFixed(1)} kB with gzip (aim: ${aimKilobytes} kB)`,
  )
  expect(brotli).toBeLessThanOrEqual(mostKilobytes)
})

test('films, other languages and rare tasks are loaded only where they are needed', () => {
  const atOnce = [...filesOf('index.html')].join(' ')
  expect(atOnce).not.toMatch(/hls/)
  const later = Object.keys(manifest).filter((name) => !filesOf('index.html').has(manifest[name]?.file ?? ''))
  for (const part of ['hls.js', 'text/de/participant.ts', 'text/ar/participant.ts'])
    expect(
      later.some((name) => name.includes(part)),
      part,
    ).toBe(true)
})

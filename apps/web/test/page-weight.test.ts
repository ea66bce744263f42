import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { componentTypes } from '@atrium/contract/components'
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

/** As it is sent when it is packaged: small files have no compressed form. */
function bytesOf(files: Iterable<string>, compress: (content: Buffer) => Buffer): number {
  const sizes = [...files].map((file) => {
    const content = readFileSync(join(dist, file))
    return content.length < 1_400 ? content.length : compress(content).length
  })
  return sizes.reduce((total, size) => total + size, 0)
}

/** Before any video: all that a participant of an ordinary study loads until the first page of the room. */
const maxKilobytes = 158
/** Of that, what the first page needs; the rest is loaded while it is read. */
const maxOfFirstPage = 100

const firstPage = () => filesOf('index.html')
const untilTheRoom = () => filesOf('src/participant/room-bundle.ts', firstPage())

test.each([
  ['first page', firstPage, maxOfFirstPage],
  ['way to the room', untilTheRoom, maxKilobytes],
])('the JavaScript of the participant’s %s stays light', (part, files, max) => {
  const [brotli = 0, gzip = 0] = [brotliCompressSync, gzipSync].map(
    (compress) => bytesOf(files(), (content) => compress(content)) / 1_000,
  )
  console.log(
    `${part}: ${brotli.toFixed(1)} kB with Brotli, ${gzip.toFixed(1)} kB with gzip (at most ${max} kB)`,
  )
  expect(brotli).toBeLessThanOrEqual(max)
})

test('nothing that a browser loads makes code from text, which the content security policy forbids', () => {
  const scripts = [...globSync('assets/*.js', { cwd: dist }), 'sdk/atrium.js']
  expect(scripts.length).toBeGreaterThan(10)
  const making = scripts.filter((name) =>
    /new ?\(?globalThis\.Function\b|new Function\(/.test(readFileSync(join(dist, name), 'utf8')),
  )
  expect(making).toEqual([])
})

test('videos, other languages and rare tasks are loaded only where they are needed', () => {
  const atOnce = untilTheRoom()
  for (const part of [
    'hls.js',
    'text/de/',
    'text/ar/',
    'media-views',
    'chat/',
    'reaction/',
    'custom-html',
    'paradata/',
    'room/conditions',
  ]) {
    const named = Object.entries(manifest).filter(([name]) => name.includes(part))
    expect(named.length, part).toBeGreaterThan(0)
    for (const [name, { file }] of named) expect(atOnce.has(file), name).toBe(false)
  }
})

test('participants do not load what only checks, bots and the reference know of component types', () => {
  const scripts = [...untilTheRoom()].filter((file) => file.endsWith('.js'))
  const loaded = scripts.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n')
  expect(loaded).toContain('Multiple choice')
  for (const { type, records, description } of Object.values(componentTypes)) {
    expect(loaded.includes(description), `description of ${type}`).toBe(false)
    if (records.length > 10) expect(loaded.includes(records), `records of ${type}`).toBe(false)
  }
  expect(loaded).not.toContain('is already in the list')
})

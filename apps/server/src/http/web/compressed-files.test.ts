import { randomBytes } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createCompressedFiles } from './compressed-files.ts'

const code = 'export const answer = 42\n'.repeat(100)

function filesIn(contents: Record<string, string | Buffer>) {
  const folder = createTemporaryFolder('compressed')
  onTestFinished(() => folder.remove())
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder.path, name), content)
  return folder.path
}

test('a file is compressed once, however many ask for it, at the same time and later', async () => {
  const { find } = createCompressedFiles(filesIn({ 'app.js': code }))
  const atOnce = await Promise.all(Array.from({ length: 50 }, () => find('app.js', 'br')))
  const later = await find('app.js', 'gzip, deflate, br')
  // The very same bytes in memory.
  expect(new Set([...atOnce, later].map((file) => file?.content)).size).toBe(1)
  expect(brotliDecompressSync(later?.content ?? '').toString()).toBe(code)
})

test.each([
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('whoever accepts %j gets %s', async (accepted, encoding) => {
  const { find } = createCompressedFiles(filesIn({ 'app.js': code }))
  const file = await find('app.js', accepted)
  expect(file?.encoding).toBe(encoding)
  if (file?.encoding === 'gzip') expect(gunzipSync(file.content).toString()).toBe(code)
})

test('what was packaged beside a file is sent instead of compressing it again', async () => {
  const { find } = createCompressedFiles(
    filesIn({ 'app.js': code, 'app.js.br': 'packaged', 'app.js.gz': 'also packaged' }),
  )
  expect((await find('app.js', 'br'))?.content.toString()).toBe('packaged')
  expect((await find('app.js', 'gzip'))?.content.toString()).toBe('also packaged')
})

test('a file that has changed is compressed anew, under another tag', async () => {
  const folder = filesIn({ 'atrium.js': code })
  const { find } = createCompressedFiles(folder)
  const before = await find('atrium.js', 'br')
  writeFileSync(join(folder, 'atrium.js'), code.replaceAll('42', '43'))
  utimesSync(join(folder, 'atrium.js'), new Date(), new Date(Date.now() + 5_000))
  const after = await find('atrium.js', 'br')
  expect(brotliDecompressSync(after?.content ?? '').toString()).toContain('43')
  expect(after?.etag).not.toBe(before?.etag)
})

test('files that are small, missing or not files are sent as they are', async () => {
  const { find } = createCompressedFiles(filesIn({ 'small.js': 'export {}' }))
  for (const name of ['small.js', 'missing.js', '.']) expect(await find(name, 'br')).toBeUndefined()
})

test('memory is bounded: what does not fit is sent as it is, and what is kept is not compressed again', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.js`)
  const folder = filesIn(Object.fromEntries(names.map((name) => [name, randomBytes(10_000)])))
  const { find } = createCompressedFiles(folder, 55_000)
  const ask = () => Promise.all(names.map((name) => find(name, 'br')))
  const first = await ask()
  expect(first.filter(Boolean)).toHaveLength(5)
  expect((await ask()).map((file) => file?.content)).toEqual(first.map((file) => file?.content))
})

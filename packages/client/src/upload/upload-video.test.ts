import { readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UploadAborted, UploadFailed } from '../errors.ts'
import { diskSource } from '../node/file-source.ts'
import { fileMemory } from '../node/upload-file.ts'
import { type FakeUploads, startFakeUploads } from '../test/fake-uploads.ts'
import { createQuickClock } from '../test/quick-clock.ts'
import { fileSource } from './blob-source.ts'
import type { BegunUpload, UploadMemory } from './upload-memory.ts'
import { type UploadSource, videoTypeOf } from './upload-source.ts'
import { startUpload, type UploadOptions, type UploadProgress } from './upload-video.ts'

const partBytes = 1_000
const textOf = (size: number) =>
  Array.from({ length: size }, (_, at) => String.fromCharCode(97 + (at % 23))).join('')

const chosen = (size: number, name = 'film.mp4', type = 'video/mp4'): UploadSource =>
  fileSource(new File([textOf(size)], name, { type, lastModified: 5 }))

async function onDisk(size: number) {
  const folder = createTemporaryFolder('upload')
  onTestFinished(() => folder.remove())
  const path = join(folder.path, 'film.mp4')
  writeFileSync(path, textOf(size))
  return { path, folder, source: await diskSource(path) }
}

/** As a browser's localStorage. */
function createMemory(): UploadMemory & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    recall: (name) => kept.get(name) ?? null,
    keep: (name, value) => void kept.set(name, value),
    forget: (name) => void kept.delete(name),
  }
}

async function setUp() {
  const platform = await startFakeUploads(partBytes)
  const memory = createMemory()
  const told: UploadProgress[] = []
  const begin = (source: UploadSource, options: Partial<UploadOptions> = {}) =>
    startUpload(
      source,
      {
        baseUrl: platform.baseUrl,
        getIdToken: () => 'ada',
        memory,
        clock: createQuickClock(),
        onProgress: (progress) => told.push(progress),
        ...options,
      },
      partBytes,
    )
  return { platform, memory, told, begin }
}

const untilCount = (platform: FakeUploads, name: string, min: number) =>
  waitUntil(() => platform.count(name) >= min || `${platform.count(name)} of ${min} ${name}`)

describe.each([
  ['a chosen file', async (size: number) => chosen(size)],
  ['a file on disk', async (size: number) => (await onDisk(size)).source],
])('%s', (_what, sourceOf) => {
  test('[R31] that is small goes in one request, with its name and type', async () => {
    const { platform, told, begin } = await setUp()
    expect(await begin(await sourceOf(partBytes)).done).toEqual({
      videoId: 'v1',
      key: 'videos/v1/original/film.mp4',
    })
    expect(platform.requests).toEqual(['video'])
    expect(platform.tokens).toEqual(['Bearer ada'])
    expect(platform.contents()).toEqual([textOf(partBytes)])
    expect(told.at(-1)).toEqual({ kind: 'done', sentBytes: partBytes, totalBytes: partBytes })
  })

  test('[R31] that is large goes in parts, four at once, and is put together', async () => {
    const { platform, memory, told, begin } = await setUp()
    const size = 9 * partBytes + 17
    await begin(await sourceOf(size)).done
    expect(platform.contents()).toEqual([textOf(size)])
    expect(platform.count('part ')).toBe(10)
    expect(platform.count('sign')).toBe(0)
    expect(platform.maxInFlight()).toBeLessThanOrEqual(4)
    expect(memory.kept.size).toBe(0)
    expect(told.map(({ kind }) => kind)).toContain('finishing')
    expect(told.at(-1)).toEqual({ kind: 'done', sentBytes: size, totalBytes: size })
  })

  test('[R31] failed parts are sent again, expired addresses are signed again', async () => {
    const { platform, told, begin } = await setUp()
    platform.befall('part 2', 'close', { status: 503 })
    platform.befall('part 3', 'expired')
    platform.befall('part 5', 'drop_reply')
    platform.befall('initiate', { code: 'UNAVAILABLE' })
    platform.befall('complete', 'drop_reply')
    await begin(await sourceOf(5 * partBytes)).done
    expect(platform.contents()).toEqual([textOf(5 * partBytes)])
    expect(platform.count('part 2')).toBe(3)
    expect(platform.count('sign')).toBe(1)
    expect(platform.count('complete')).toBe(2)
    expect(told.some(({ because }) => because === 'Request has expired')).toBe(true)
  })

  test('[R31] whose parts the server does not sign fails instead of asking for ever', async () => {
    const { platform, begin } = await setUp()
    platform.befall('part 2', 'expired')
    platform.befall('sign', 'signs_nothing')
    await expect(begin(await sourceOf(3 * partBytes)).done).rejects.toThrow('has not signed')
    expect(platform.count('sign')).toBe(1)
  })

  test('[R31] is resumed after a restart: only what is missing is sent', async () => {
    const { platform, begin } = await setUp()
    platform.befall('part 4', 'hang')
    platform.befall('part 5', 'hang')
    const stop = new AbortController()
    const source = await sourceOf(5 * partBytes)
    const first = begin(source, { signal: stop.signal })
    await untilCount(platform, 'part ', 5)
    await waitUntil(() => platform.uploads.get('u1')?.parts.size === 3 || 'not stored')
    stop.abort()
    await expect(first.done).rejects.toBeInstanceOf(UploadAborted)
    // A part of the wrong size does not count as stored.
    platform.uploads.get('u1')?.parts.set(4, Buffer.from('short'))
    platform.requests.splice(0)
    await begin(source).done
    expect(platform.contents()).toEqual([textOf(5 * partBytes)])
    expect(platform.requests.filter((name) => name.startsWith('part ')).toSorted()).toEqual([
      'part 4',
      'part 5',
    ])
    expect(platform.count('initiate')).toBe(0)
  })
})

test('[R31] paused it sends nothing; resumed it goes on', async () => {
  const { platform, told, begin } = await setUp()
  platform.befall('part 6', 'hang')
  const upload = begin(chosen(6 * partBytes))
  await untilCount(platform, 'part 6', 1)
  upload.pause()
  upload.pause()
  expect(told.at(-1)?.kind).toBe('paused')
  upload.resume()
  await upload.done
  expect(platform.contents()).toEqual([textOf(6 * partBytes)])
  expect(platform.count('initiate')).toBe(1)
  upload.pause()
  expect(told.at(-1)?.kind).toBe('done')
})

test('[R31] aborted, nothing of it is left', async () => {
  const { platform, memory, begin } = await setUp()
  platform.befall('part 2', 'hang')
  const upload = begin(chosen(3 * partBytes))
  await untilCount(platform, 'part 2', 1)
  await upload.abort()
  await expect(upload.done).rejects.toBeInstanceOf(UploadAborted)
  expect(platform.uploads.size).toBe(0)
  expect(memory.kept.size).toBe(0)
})

test('[R31] aborted while it is completed, it is removed all the same', async () => {
  const { platform, memory, begin } = await setUp()
  platform.befall('complete', 'no_reply')
  const upload = begin(chosen(3 * partBytes))
  await waitUntil(() => platform.contents()[0] !== undefined || 'not complete yet')
  await upload.abort()
  await expect(upload.done).rejects.toBeInstanceOf(UploadAborted)
  expect(platform.uploads.size).toBe(0)
  expect(memory.kept.size).toBe(0)
})

test('[R31] aborted after it was removed by somebody else, or after it is done, it changes nothing', async () => {
  const { platform, begin } = await setUp()
  platform.befall('part 2', 'hang')
  const removed = begin(chosen(3 * partBytes))
  await untilCount(platform, 'part 2', 1)
  platform.uploads.clear()
  await removed.abort()
  const stored = begin(chosen(3 * partBytes))
  await stored.done
  await stored.abort()
  expect(platform.contents()).toEqual([textOf(3 * partBytes)])
})

test('[R31] paused while it begins, it is not begun twice', async () => {
  const { platform, begin } = await setUp()
  platform.befall('initiate', 'close')
  const upload = begin(chosen(3 * partBytes))
  await untilCount(platform, 'initiate', 1)
  upload.pause()
  upload.resume()
  await upload.done
  expect(platform.uploads.size).toBe(1)
  expect(platform.contents()).toEqual([textOf(3 * partBytes)])
})

test('[R31] a small file that was begun in parts is continued in parts', async () => {
  const { platform, begin } = await setUp()
  const { videoId } = await begin(chosen(50), {
    unfinished: { videoId: 'swept', uploadId: 'swept', key: 'k' },
  }).done
  expect(videoId).toBe('v1')
  expect(platform.count('video')).toBe(0)
  expect(platform.contents()).toEqual([textOf(50)])
})

test('[R31] an upload that was complete is not sent again, one that was swept begins anew', async () => {
  const { platform, memory, begin } = await setUp()
  await begin(chosen(2 * partBytes)).done
  const key = `atrium.upload ${platform.baseUrl} film.mp4 ${2 * partBytes} 5`
  memory.kept.set(key, JSON.stringify({ videoId: 'v1', uploadId: 'u1', key: 'k' }))
  expect((await begin(chosen(2 * partBytes)).done).videoId).toBe('v1')
  expect(platform.uploads.size).toBe(1)
  memory.kept.set(key, JSON.stringify({ videoId: 'gone', uploadId: 'gone', key: 'k' }))
  expect((await begin(chosen(2 * partBytes)).done).videoId).toBe('v2')
  memory.kept.set(key, 'nonsense')
  expect((await begin(chosen(2 * partBytes)).done).videoId).toBe('v3')
})

test('[R31] an upload that began elsewhere is continued', async () => {
  const { platform, begin } = await setUp()
  platform.befall('part 3', { status: 507 })
  const begun: BegunUpload[] = []
  const first = begin(chosen(3 * partBytes), { onBegun: (upload) => begun.push(upload) })
  await expect(first.done).rejects.toBeInstanceOf(UploadFailed)
  const elsewhere = { memory: createMemory(), unfinished: begun[0] }
  expect((await begin(chosen(3 * partBytes), elsewhere).done).videoId).toBe('v1')
  expect(platform.count('initiate')).toBe(1)
  expect(platform.contents()).toEqual([textOf(3 * partBytes)])
})

test('[R31] a lost reply to a small file does not make a second video', async () => {
  const { platform, begin } = await setUp()
  platform.befall('video', 'drop_reply')
  expect((await begin((await onDisk(50)).source).done).videoId).toBe('v1')
  expect(platform.uploads.size).toBe(1)
})

test('[R31] a store that hides its ETags is asked for them', async () => {
  const { platform, begin } = await setUp()
  platform.hideEtags()
  await begin(chosen(3 * partBytes)).done
  expect(platform.contents()).toEqual([textOf(3 * partBytes)])
  expect(platform.count('parts')).toBe(1)
})

test('[R31] a token that has expired is asked for again', async () => {
  const { platform, begin } = await setUp()
  platform.befall('initiate', { code: 'UNAUTHENTICATED' })
  const wishes: boolean[] = []
  await begin(chosen(2 * partBytes), {
    getIdToken: ({ isRefresh }) => {
      wishes.push(isRefresh)
      return 'ada'
    },
  }).done
  expect(wishes.slice(0, 2)).toEqual([false, true])
})

test('[R31] what cannot succeed is said at once, and what fails too often in the end', async () => {
  const { platform, begin } = await setUp()
  await expect(begin(chosen(0)).done).rejects.toThrow('film.mp4 is empty')
  await expect(begin(chosen(5, 'notes.txt', 'text/plain')).done).rejects.toThrow('notes.txt is not a video')
  expect(platform.requests).toEqual([])
  platform.befall('initiate', { code: 'STORAGE_FULL' })
  await expect(begin(chosen(2 * partBytes)).done).rejects.toMatchObject({ code: 'STORAGE_FULL' })
  platform.befall('part 1', { status: 507 })
  await expect(begin(chosen(2 * partBytes)).done).rejects.toBeInstanceOf(UploadFailed)
  platform.befall('part 1', ...Array.from({ length: 10 }, () => 'close' as const))
  await expect(begin(chosen(2 * partBytes)).done).rejects.toBeInstanceOf(UploadFailed)
  expect(platform.count('part 1')).toBe(11)
  // Removed by somebody else in the meantime.
  platform.befall('part 1', { status: 404 })
  platform.befall('parts', 'close', { code: 'UPLOAD_NOT_FOUND' })
  await expect(begin(chosen(2 * partBytes)).done).rejects.toThrow()
})

test('[R31] a file that changes while it is uploaded is not mixed with its former self', async () => {
  const { begin } = await setUp()
  const { path, source } = await onDisk(3 * partBytes)
  truncateSync(path, 2 * partBytes)
  await expect(begin(source).done).rejects.toThrow('has changed')
})

test('[R31] a program finds its uploads again after a restart', async () => {
  const { folder } = await onDisk(1)
  const memory = () => fileMemory(join(folder.path, 'state', 'uploads'))
  expect(await memory().recall('a')).toBeNull()
  const names = ['a', 'b', 'c/../d', 'e']
  // Several at once, as of several programs.
  await Promise.all(names.map((name) => memory().keep(name, `of ${name}`)))
  for (const name of names) expect(await memory().recall(name)).toBe(`of ${name}`)
  await memory().forget('a')
  expect(await memory().recall('a')).toBeNull()
  expect(await memory().recall('b')).toBe('of b')
  expect(readdirSync(join(folder.path, 'state', 'uploads'))).toHaveLength(names.length - 1)
})

test('the type of a file is known by its name where the browser does not know it', () => {
  expect(videoTypeOf({ name: 'Film.MKV', type: '' })).toBe('video/x-matroska')
  expect(videoTypeOf({ name: 'film.bin', type: 'video/mp4' })).toBe('video/mp4')
  expect(videoTypeOf({ name: 'film.txt', type: 'text/plain' })).toBeUndefined()
  expect(videoTypeOf({ name: 'constructor', type: '' })).toBeUndefined()
  expect(videoTypeOf({ name: 'x.constructor', type: '' })).toBeUndefined()
})

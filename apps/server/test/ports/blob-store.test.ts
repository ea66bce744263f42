import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { type ObjectStoreProgram, startObjectStore } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts'
import { AppError } from '../../src/kernel/app-error.ts'
import type { BlobStore } from '../../src/ports/blob-store.ts'
import { startStoreInProcess } from './store-in-process.ts'

// The contract of ports/blob-store.ts, for both adapters: over S3 to our own object store as a program, and directly to
// the disk of one that runs in this process.
const mebibyte = 1_048_576
const copyBytes = 5 * mebibyte

function connect(program: ObjectStoreProgram, { endpoint = program.http, maxSockets = 64 } = {}) {
  const { VIDEO_BUCKET = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = program.s3Env
  return createS3Blobs({
    endpoint,
    region: 'us-east-1',
    bucket: VIDEO_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    forcePathStyle: true,
    maxCopyBytes: copyBytes,
    maxSockets,
  })
}

interface Stage {
  blobs: BlobStore
  /** Where clients reach whatever mounts the store. */
  http: string
  killAndStartAgain(): Promise<void>
  stop(): Promise<void>
}

async function overS3(): Promise<Stage> {
  const program = await startObjectStore()
  const blobs = connect(program)
  return {
    blobs,
    http: program.http,
    async killAndStartAgain() {
      await program.kill()
      await program.restart()
    },
    async stop() {
      blobs.close()
      await program.stop()
    },
  }
}

const video = { contentType: 'video/mp4' }
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

describe.each([
  ['over S3', overS3],
  ['on the disk of this process', startStoreInProcess],
])('A blob store %s', (_name, start) => {
  let stage: Stage
  let blobs: BlobStore
  beforeAll(async () => {
    stage = await start()
    blobs = stage.blobs
  })
  afterAll(() => stage?.stop())

  const putText = (key: string, body: string) =>
    blobs.put(key, Buffer.from(body), { ...video, size: Buffer.byteLength(body) })
  async function sendPart(key: string, uploadId: string, partNumber: number, body: Buffer) {
    const url = await blobs.signPart({ key, uploadId, partNumber, size: body.length }, stage.http)
    const response = await fetch(url, { method: 'PUT', body })
    expect(response.status).toBe(200)
    return { partNumber, etag: response.headers.get('etag') ?? '' }
  }

  describe('objects', () => {
    test('[O1] are put from bytes and streams, described, opened and listed', async () => {
      const body = randomBytes(300_000)
      await blobs.put('videos/a/hls/1.ts', body, { size: body.length, contentType: 'video/mp2t' })
      await blobs.put('videos/a/hls/2.ts', Readable.from([Buffer.from('one '), Buffer.from('by one')]), {
        size: 10,
        contentType: 'video/mp2t',
      })
      const facts = await blobs.head('videos/a/hls/1.ts')
      expect(facts).toEqual({
        size: 300_000,
        contentType: 'video/mp2t',
        etag: expect.stringMatching(/^[0-9a-f]{32}$/),
      })
      const opened = await blobs.open('videos/a/hls/1.ts')
      expect(opened && (await buffer(opened.stream)).equals(body)).toBe(true)
      expect(opened?.range).toBeUndefined()
      expect(await blobs.list('videos/a/')).toEqual(['videos/a/hls/1.ts', 'videos/a/hls/2.ts'])
    })

    test('[O3] a range is opened; one beyond the end is a RangeError', async () => {
      await putText('ranges', '0123456789')
      const middle = await blobs.open('ranges', { first: 2, last: 4 })
      expect(middle).toMatchObject({ size: 10, range: { first: 2, last: 4 } })
      expect(middle && (await text(middle.stream))).toBe('234')
      const rest = await blobs.open('ranges', { first: 7 })
      expect(rest).toMatchObject({ size: 10, range: { first: 7, last: 9 } })
      expect(rest && (await text(rest.stream))).toBe('789')
      await expect(blobs.open('ranges', { first: 10 })).rejects.toThrow(RangeError)
    })

    test('[O2] what is not there is undefined', async () => {
      expect(await blobs.head('nothing')).toBeUndefined()
      expect(await blobs.open('nothing')).toBeUndefined()
      expect(await blobs.list('nothing/')).toEqual([])
    })

    test('[O6] everything below a prefix is removed, and nothing else', async () => {
      for (const key of ['films/1/a', 'films/1/b/c', 'films/10/a']) await putText(key, key)
      await blobs.removeAll('films/1/')
      await blobs.removeAll('films/1/')
      expect(await blobs.list('films/')).toEqual(['films/10/a'])
      await expect(blobs.removeAll('')).rejects.toThrow()
    })

    test('[O16] a stream that fails stores nothing, and its error is the one that is thrown', async () => {
      const broken = new Readable({
        read() {
          this.push(Buffer.alloc(1_000))
          this.destroy(new Error('the source has failed'))
        },
      })
      await expect(blobs.put('broken', broken, { ...video, size: 5_000 })).rejects.toThrow(
        'the source has failed',
      )
      expect(await blobs.head('broken')).toBeUndefined()
    })
  })

  describe('uploads', () => {
    test('[O10] parts go through presigned addresses and become one object', async () => {
      const key = 'videos/b/original/a video ü+.mp4'
      const uploadId = await blobs.createUpload(key, 'video/mp4')
      const first = randomBytes(copyBytes)
      const parts = [
        await sendPart(key, uploadId, 1, first),
        await sendPart(key, uploadId, 2, Buffer.from('end')),
      ]
      const unquoted = parts.map(({ partNumber, etag }) => ({ partNumber, etag: etag.replaceAll('"', '') }))
      expect(await blobs.listParts({ key, uploadId })).toEqual([
        { ...unquoted[0], size: copyBytes },
        { ...unquoted[1], size: 3 },
      ])
      // Quoted and unquoted.
      await blobs.completeUpload({ key, uploadId }, [...parts.slice(0, 1), ...unquoted.slice(1)])
      expect(await blobs.head(key)).toMatchObject({ size: copyBytes + 3, contentType: 'video/mp4' })
      expect(await blobs.listParts({ key, uploadId })).toBeUndefined()
      await blobs.abortUpload({ key, uploadId })
      expect((await blobs.head(key))?.size).toBe(copyBytes + 3)
    })

    test('[O12] wrong parts are validation errors, an unknown upload is not found', async () => {
      const upload = { key: 'wrong', uploadId: await blobs.createUpload('wrong', 'video/mp4') }
      const one = await sendPart(upload.key, upload.uploadId, 1, Buffer.from('1'))
      const two = await sendPart(upload.key, upload.uploadId, 2, Buffer.from('2'))
      for (const parts of [
        [{ ...one, etag: 'f'.repeat(32) }],
        [{ ...one, partNumber: 3 }],
        [two, one],
        [one, two],
      ])
        expect(await codeOf(blobs.completeUpload(upload, parts))).toBe('VALIDATION_FAILED')
      const unknown = { ...upload, uploadId: 'x'.repeat(32) }
      expect(await codeOf(blobs.completeUpload(unknown, [one]))).toBe('UPLOAD_NOT_FOUND')
      expect(await blobs.head('wrong')).toBeUndefined()
    })

    test('[O13] open uploads are found by their age, and aborted once or twice', async () => {
      const upload = { key: 'old', uploadId: await blobs.createUpload('old', 'video/mp4') }
      expect(await blobs.openUploads(0)).toEqual([])
      expect(await blobs.openUploads(Date.now() + 60_000)).toContainEqual(upload)
      await blobs.abortUpload(upload)
      await blobs.abortUpload(upload)
      expect(await blobs.openUploads(Date.now() + 60_000)).not.toContainEqual(upload)
    })
  })

  describe('touching', () => {
    test('[O9] keeps the bytes and the type, for objects of any size', async () => {
      await putText('touched/small', 'small')
      const large = randomBytes(2 * copyBytes + 5)
      await blobs.put('touched/large ü', large, { ...video, size: large.length })
      for (const key of await blobs.list('touched/')) {
        const before = await blobs.head(key)
        await blobs.touch(key)
        expect(await blobs.head(key)).toMatchObject({ size: before?.size, contentType: 'video/mp4' })
      }
      const opened = await blobs.open('touched/large ü')
      expect(opened && (await buffer(opened.stream)).equals(large)).toBe(true)
      expect(await blobs.openUploads(Date.now() + 60_000)).not.toContainEqual(
        expect.objectContaining({ key: 'touched/large ü' }),
      )
    })
  })

  test('[O30] everything that was acknowledged is there after the store is killed', async () => {
    await putText('kept', 'before the end')
    const upload = { key: 'kept in parts', uploadId: await blobs.createUpload('kept in parts', 'video/mp4') }
    const part = await sendPart(upload.key, upload.uploadId, 1, Buffer.from('part'))
    await stage.killAndStartAgain()
    blobs = stage.blobs
    expect((await blobs.head('kept'))?.size).toBe(14)
    expect(await blobs.listParts(upload)).toHaveLength(1)
    await blobs.completeUpload(upload, [part])
    expect((await blobs.head('kept in parts'))?.size).toBe(4)
  })
})

describe('A blob store over S3', () => {
  let program: ObjectStoreProgram
  beforeAll(async () => {
    program = await startObjectStore()
  })
  afterAll(() => program?.stop())

  test('[V21] those who open objects and do not read keep nobody from storing', async () => {
    const body = randomBytes(20 * mebibyte)
    const few = connect(program, { maxSockets: 2 })
    await few.put('unread', body, { ...video, size: body.length })
    const unread = [await few.open('unread'), await few.open('unread')]
    await few.put('stored', Buffer.from('segment'), { ...video, size: 7 })
    expect(await few.head('stored')).toMatchObject({ size: 7 })
    for (const opened of unread) opened?.stream.destroy()
    few.close()
  })

  test('[O9] what is too large for one copy is copied in parts', async () => {
    const blobs = connect(program)
    const large = randomBytes(2 * copyBytes + 5)
    await blobs.put('large', large, { ...video, size: large.length })
    await blobs.touch('large')
    expect((await blobs.head('large'))?.etag).toMatch(/-3$/)
    blobs.close()
  })

  test('that cannot be reached is unavailable', async () => {
    const nowhere = connect(program, { endpoint: 'http://127.0.0.1:9' })
    expect(await codeOf(nowhere.head('x'))).toBe('UNAVAILABLE')
    expect(await codeOf(nowhere.put('x', Buffer.from('x'), { ...video, size: 1 }))).toBe('UNAVAILABLE')
    nowhere.close()
  })
})

describe('A blob store on the disk of this process', () => {
  const begin = async (options: Parameters<typeof startStoreInProcess>[0]) => {
    const stage = await startStoreInProcess(options)
    onTestFinished(stage.stop)
    return stage
  }

  test('[O7] no key leads out of the folder, or can be listed as another', async () => {
    const { blobs, folder } = await begin({})
    const keys = ['../../out', 'a/../../../out', '/out', 'a//b', '.', '..', 'a\\..\\b']
    for (const key of keys) await blobs.put(key, Buffer.from(key), { ...video, size: key.length })
    expect((await blobs.list('')).toSorted()).toEqual(keys.toSorted())
    expect(readdirSync(folder).toSorted()).toEqual(['objects', 'temporary', 'uploads'])
    for (const key of ['', 'a\nb', 'x'.repeat(1_025)])
      expect(await codeOf(blobs.put(key, Buffer.from('x'), { ...video, size: 1 }))).toBe('UNAVAILABLE')
  })

  test('[O32] what does not fit is refused before it is read, and leaves nothing', async () => {
    const { blobs } = await begin({ maxBytes: 10 })
    let isRead = false
    const body = new Readable({
      read() {
        isRead = true
        this.push(null)
      },
    })
    expect(await codeOf(blobs.put('large', body, { ...video, size: 11 }))).toBe('STORAGE_FULL')
    expect([isRead, body.destroyed]).toEqual([false, true])
    expect(await blobs.list('')).toEqual([])
  })

  test('[O16] fewer or more bytes than announced store nothing', async () => {
    const { blobs, folder } = await begin({})
    for (const size of [3, 5])
      expect(await codeOf(blobs.put('wrong', Buffer.from('four'), { ...video, size }))).toBe('UNAVAILABLE')
    expect(await blobs.head('wrong')).toBeUndefined()
    expect(readdirSync(join(folder, 'temporary'))).toEqual([])
  })

  test('[O18] an object that nobody reads is closed', async () => {
    const { blobs } = await begin({ idleMs: 20 })
    const body = randomBytes(mebibyte)
    await blobs.put('unread', body, { ...video, size: body.length })
    const opened = await blobs.open('unread')
    if (opened) await once(opened.stream, 'close')
    await expect(opened && buffer(opened.stream)).rejects.toThrow()
  })
})

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { type ObjectStoreProgram, startObjectStore } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createS3Blobs, type S3Blobs } from '../../src/adapters/s3/s3-blobs.ts'
import { AppError } from '../../src/kernel/app-error.ts'

// The contract of ports/blob-store.ts, for its one adapter, on our own object store as a program.
const mebibyte = 1_048_576
const copyBytes = 5 * mebibyte

let program: ObjectStoreProgram
let blobs: S3Blobs
const connect = (endpoint: string | (() => string), more: { maxSockets?: number } = {}): S3Blobs =>
  createS3Blobs({
    ...more,
    endpoint,
    region: 'us-east-1',
    bucket: program.s3Env.VIDEO_BUCKET ?? '',
    accessKeyId: program.s3Env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: program.s3Env.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: true,
    endpointForClients: (origin) => origin,
    maxCopyBytes: copyBytes,
  })

beforeAll(async () => {
  program = await startObjectStore()
  // As with our own store: the address is known only when it is needed.
  blobs = connect(() => program.http)
})
afterAll(async () => {
  blobs.close()
  await program.stop()
})

const video = { contentType: 'video/mp4' }
const putText = (key: string, body: string) =>
  blobs.put(key, Buffer.from(body), { ...video, size: Buffer.byteLength(body) })
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

async function sendPart(key: string, uploadId: string, partNumber: number, body: Buffer) {
  const url = await blobs.signPart({ key, uploadId, partNumber, size: body.length }, program.http)
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

test('[V21] those who open objects and do not read keep nobody from storing', async () => {
  const body = randomBytes(20 * mebibyte)
  await blobs.put('unread', body, { ...video, size: body.length })
  const few = connect(program.http, { maxSockets: 2 })
  const unread = [await few.open('unread'), await few.open('unread')]
  await few.put('stored', Buffer.from('segment'), { ...video, size: 7 })
  expect(await few.head('stored')).toMatchObject({ size: 7 })
  for (const opened of unread) opened?.stream.destroy()
  few.close()
})

describe('uploads', () => {
  test('[O10] parts go through presigned addresses and become one object', async () => {
    const key = 'videos/b/original/a film ü+.mp4'
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
    expect(opened?.etag).toMatch(/-3$/)
    expect(await blobs.openUploads(Date.now() + 60_000)).not.toContainEqual(
      expect.objectContaining({ key: 'touched/large ü' }),
    )
  })
})

test('a store that cannot be reached is unavailable', async () => {
  const nowhere = connect('http://127.0.0.1:9')
  expect(await codeOf(nowhere.head('x'))).toBe('UNAVAILABLE')
  expect(await codeOf(nowhere.put('x', Buffer.from('x'), { ...video, size: 1 }))).toBe('UNAVAILABLE')
  nowhere.close()
})

test('[O30] everything that was acknowledged is there after the store is killed', async () => {
  await putText('kept', 'before the end')
  const upload = { key: 'kept in parts', uploadId: await blobs.createUpload('kept in parts', 'video/mp4') }
  const part = await sendPart(upload.key, upload.uploadId, 1, Buffer.from('part'))
  await program.kill()
  await program.restart()
  expect((await blobs.head('kept'))?.size).toBe(14)
  expect(await blobs.listParts(upload)).toHaveLength(1)
  await blobs.completeUpload(upload, [part])
  expect((await blobs.head('kept in parts'))?.size).toBe(4)
})

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startObjectStore } from '@atrium/testkit'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { bucket as Bucket, failureOf, settingsOf } from './test/store-world.ts'
import { beginUpload, filesIn, put, read, small, useStores } from './test/stores.ts'

const { start, keptFolder } = useStores()

describe('[O32] space', () => {
  test('deleted, replaced and aborted objects leave nothing behind', async () => {
    const world = await start({ ...small, maxBytes: 1_000_000 })
    const { client } = world
    const video = { Bucket, Key: 'film' }
    await client.send(new CompleteMultipartUploadCommand(await beginUpload(world, 'film', 'one', 'two')))
    await client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/film` }))
    await client.send(
      new CopyObjectCommand({ ...video, CopySource: `${Bucket}/film`, MetadataDirective: 'REPLACE' }),
    )
    expect(await read(world, 'film')).toBe('onetwo')
    await put(world, 'film', 'replaced')
    expect(await read(world, 'copy')).toBe('onetwo')
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'copy' }))
    expect(filesIn(world.folder)).toEqual(['objects/film='])
    expect(world.store.usedBytes()).toBe(8)
    await client.send(new DeleteObjectCommand(video))
    expect(readdirSync(join(world.folder, 'objects'))).toEqual([])
    expect(world.store.usedBytes()).toBe(0)
  })

  test('a quota refuses what does not fit, before it is sent, and counts what is there at the start', async () => {
    const folder = keptFolder()
    const first = await start({ folder, maxBytes: 10_000 })
    await put(first, 'fits', randomBytes(6_000))
    expect(await failureOf(put(first, 'too much', randomBytes(6_000)))).toBe('StorageFull')
    await first.stop()
    const second = await start({ folder, maxBytes: 10_000 })
    await expect(put(second, 'too much', randomBytes(6_000))).rejects.toMatchObject({
      name: 'StorageFull',
      $metadata: { httpStatusCode: 507 },
    })
    await second.client.send(new DeleteObjectCommand({ Bucket, Key: 'fits' }))
    await put(second, 'fits now', randomBytes(6_000))
  })

  test('uploads leave the rest of the disk to others', async () => {
    const world = await start({ keepFreeBytes: Number.MAX_SAFE_INTEGER })
    expect(await failureOf(put(world, 'x', 'x'))).toBe('StorageFull')
  })

  test('a disk that fills up during an upload keeps what was there and nothing of the upload', async () => {
    const folder = keptFolder()
    // To the process a file size limit looks like a full disk, and setting it needs no privileges.
    const program = await startObjectStore({ OBJECTS_DIR: folder, OBJECTS_KEEP_FREE_BYTES: '0' })
    const { VIDEO_BUCKET: bucket, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = program.s3Env
    const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
    const client = new S3Client({
      ...settingsOf(program.http),
      credentials,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    })
    const send = (Key: string, bytes: number) =>
      client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.alloc(bytes) }))
    await send('before', 5_000_000)
    execFileSync('prlimit', ['--pid', String(program.pid), '--fsize=2000000:'])
    expect(await failureOf(send('before', 4_000_000))).toBe('StorageFull')
    expect(await failureOf(send('new', 4_000_000))).toBe('StorageFull')
    expect(filesIn(folder)).toEqual(['objects/before='])
    expect((await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'before' }))).ContentLength).toBe(
      5_000_000,
    )
    execFileSync('prlimit', ['--pid', String(program.pid), '--fsize=unlimited:'])
    await send('new', 4_000_000)
    client.destroy()
    await program.stop()
  })

  test('[O33] uploads that nobody finishes are removed when they are old', async () => {
    const world = await start({ uploadLifetimeMs: 86_400_000, maxBytes: 1_000_000 })
    const old = await beginUpload(world, 'old', 'part')
    const hourMs = 3_600_000
    world.clock.aheadMs = 23 * hourMs
    await world.store.sweep()
    expect(readdirSync(join(world.folder, 'uploads'))).toEqual([old.UploadId])
    world.clock.aheadMs = 25 * hourMs
    await world.store.sweep()
    expect(readdirSync(join(world.folder, 'uploads'))).toEqual([])
    expect(world.store.usedBytes()).toBe(0)
    world.clock.aheadMs = 0
    expect(await failureOf(world.client.send(new CompleteMultipartUploadCommand(old)))).toBe('NoSuchUpload')
  })
})

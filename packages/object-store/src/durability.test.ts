import { createHash, randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { startObjectStore, waitUntil } from '@atrium/testkit'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { objectPath } from './disk/key-path.ts'
import { bucket as Bucket, failureOf, settingsOf } from './test/store-world.ts'
import { beginUpload, filesIn, put, read, small, useStores } from './test/stores.ts'

const { start, keptFolder } = useStores()

describe('[O30] a folder that a process left in the middle of something', () => {
  test('drafts are removed, objects and open uploads are kept', async () => {
    const folder = keptFolder()
    const first = await start({ folder, ...small })
    await put(first, 'a/b', 'object')
    const open = await beginUpload(first, 'film', 'one', 'two')
    await first.stop()
    writeFileSync(join(folder, 'temporary', 'half-written'), 'half')
    const second = await start({ folder, ...small })
    expect(readdirSync(join(folder, 'temporary'))).toEqual([])
    expect(await read(second, 'a/b')).toBe('object')
    const { Parts } = await second.client.send(new ListPartsCommand(open))
    expect(Parts?.map(({ ETag }) => ETag)).toEqual(open.MultipartUpload.Parts.map(({ ETag }) => ETag))
    await second.client.send(new CompleteMultipartUploadCommand(open))
    expect(await read(second, 'film')).toBe('onetwo')
  })

  test('an upload whose object was published, but which did not end, ends', async () => {
    const folder = keptFolder()
    const first = await start({ folder, ...small })
    const upload = await beginUpload(first, 'film', 'one', 'two', 'not used')
    const used = { ...upload, MultipartUpload: { Parts: upload.MultipartUpload.Parts.slice(0, 2) } }
    await first.client.send(new CompleteMultipartUploadCommand(used))
    await first.stop()
    const uploadFolder = join(folder, 'uploads', upload.UploadId)
    expect(readdirSync(uploadFolder).toSorted()).toEqual(['00001', '00002', 'completed'])
    renameSync(join(uploadFolder, 'completed'), join(uploadFolder, 'upload'))
    cpSync(join(uploadFolder, '00001'), join(uploadFolder, '00003'))
    const second = await start({ folder, ...small })
    expect(readdirSync(uploadFolder).toSorted()).toEqual(['00001', '00002', 'completed'])
    expect(await read(second, 'film')).toBe('onetwo')
    await second.client.send(new CompleteMultipartUploadCommand(used))
  })

  test('parts whose object is gone are removed', async () => {
    const folder = keptFolder()
    const first = await start({ folder, ...small })
    await first.client.send(new CompleteMultipartUploadCommand(await beginUpload(first, 'film', 'one')))
    await first.stop()
    rmSync(objectPath(join(folder, 'objects'), 'film'))
    await start({ folder })
    expect(readdirSync(join(folder, 'uploads'))).toEqual([])
  })

  test('a damaged object is an error, not half an object, and can be replaced', async () => {
    const world = await start()
    await put(world, 'damaged', 'a whole object')
    const path = objectPath(join(world.folder, 'objects'), 'damaged')
    truncateSync(path, statSync(path).size - 5)
    await expect(read(world, 'damaged')).rejects.toMatchObject({ name: 'InternalError' })
    expect(world.errors).toHaveLength(1)
    await put(world, 'damaged', 'again')
    expect(await read(world, 'damaged')).toBe('again')
    truncateSync(path, 3)
    await world.client.send(new DeleteObjectCommand({ Bucket, Key: 'damaged' }))
    expect(existsSync(path)).toBe(false)
  })
})

test('[O8] damaged objects are listed with the others, and all of them can be deleted', async () => {
  const world = await start()
  const keys = ['film/1.ts', 'film/2.ts', 'film/3.ts', 'film/4.ts']
  for (const key of keys) await put(world, key, 'a whole object')
  const [, cutShort = '', empty = '', scrambled = ''] = keys.map((key) =>
    objectPath(join(world.folder, 'objects'), key),
  )
  truncateSync(cutShort, statSync(cutShort).size - 5)
  truncateSync(empty)
  writeFileSync(scrambled, readFileSync(scrambled, 'latin1').replace('{"', '#"'), 'latin1')
  const list = async () => {
    const { Contents = [] } = await world.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'film/' }))
    return Contents.map(({ Key, Size }) => [Key, Size])
  }
  expect(await list()).toEqual([['film/1.ts', 14], ...keys.slice(1).map((key) => [key, 0])])
  const Objects = keys.map((Key) => ({ Key }))
  const { Errors } = await world.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  expect(Errors ?? []).toEqual([])
  expect(await list()).toEqual([])
  expect(filesIn(join(world.folder, 'objects'))).toEqual([])
})

test('[O30] a store killed in the middle of puts has each object old or new, never half', async () => {
  const program = await startObjectStore({ OBJECTS_KEEP_FREE_BYTES: '0' })
  const { VIDEO_BUCKET: bucket = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = program.s3Env
  const credentials = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
  const client = new S3Client({
    ...settingsOf(program.http),
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const keys = Array.from({ length: 6 }, (_, index) => `videos/${index % 2}/object-${index}`)
  const bodyOf = (key: string, version: number) => Buffer.alloc(400_000, `${key} version ${version};`)
  const acknowledged = new Map(keys.map((key) => [key, 0]))
  const attempted = new Map<string, number>()
  for (let round = 0; round < 2; round++) {
    let isOver = false
    const writers = keys.map(async (Key) => {
      while (!isOver) {
        const version = (attempted.get(Key) ?? 0) + 1
        attempted.set(Key, version)
        const stored = await failureOf(
          client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: bodyOf(Key, version) })),
        )
        if (stored === undefined) acknowledged.set(Key, version)
        else isOver = true
      }
    })
    const total = () => [...acknowledged.values()].reduce((sum, version) => sum + version, 0)
    const before = total()
    await waitUntil(() => total() > before + 15 || 'too few objects yet')
    await program.kill()
    await Promise.all(writers)
    await program.restart()
    for (const Key of keys) {
      const output = await client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      const bytes = Buffer.from((await output.Body?.transformToByteArray()) ?? [])
      const version = Number(/version (\d+);/.exec(bytes.toString('latin1', 0, 60))?.[1])
      expect(bytes.equals(bodyOf(Key, version)), Key).toBe(true)
      expect(version).toBeGreaterThanOrEqual(acknowledged.get(Key) ?? 0)
      expect(version).toBeLessThanOrEqual(attempted.get(Key) ?? 0)
      expect(output.ETag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`)
    }
  }
  client.destroy()
  await program.stop()
})

describe('[O31] whoever reads or writes at the same time', () => {
  test('the last writer of a key wins, whole', async () => {
    const world = await start()
    const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000, String(index)))
    await Promise.all(bodies.map((body) => put(world, 'contested', body)))
    const stored = await read(world, 'contested')
    expect(bodies.some((body) => body.toString() === stored)).toBe(true)
    expect(filesIn(world.folder)).toEqual(['objects/contested='])
  })

  test('a reader gets the object that was there when it began, in parts too', async () => {
    const world = await start(small)
    const body = randomBytes(3_000_000)
    const parts = [body.subarray(0, 1_500_000), body.subarray(1_500_000)]
    await world.client.send(new CompleteMultipartUploadCommand(await beginUpload(world, 'film', ...parts)))
    const begun = await world.client.send(new GetObjectCommand({ Bucket, Key: 'film' }))
    await world.client.send(new DeleteObjectCommand({ Bucket, Key: 'film' }))
    expect(Buffer.from((await begun.Body?.transformToByteArray()) ?? []).equals(body)).toBe(true)
    await waitUntil(() => filesIn(world.folder).length === 0 || `left: ${filesIn(world.folder)}`)
  })

  test('folders come and go while others write into them', async () => {
    const world = await start()
    const Key = 'a/b/c/d'
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0
          ? put(world, `${Key}/${index}`, 'x')
          : world.client.send(new DeleteObjectCommand({ Bucket, Key: `${Key}/${index - 1}` })),
      ),
    )
    expect(world.errors).toEqual([])
  })
})

test('[O9] what is too large for one copy is refused', async () => {
  const world = await start({ limits: { copyBytes: 10 } })
  await put(world, 'large', 'more than ten bytes')
  const copy = new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/large` })
  expect(await failureOf(world.client.send(copy))).toBe('InvalidRequest')
})

test('[O35] files are private', async () => {
  const world = await start()
  await put(world, 'private/x', 'x')
  for (const file of filesIn(world.folder)) {
    expect(statSync(join(world.folder, file)).mode & 0o077, file).toBe(0)
    expect(readFileSync(join(world.folder, file), 'latin1')).toContain('x')
  }
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { uploadRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createSmallDisk,
  createTestDatabase,
  startObjectStore,
  startServer,
} from '@atrium/testkit'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, onTestFinished, test } from 'vitest'

test('a researcher is told that the disk of the videos is full or read-only; what is there stays, and it recovers', async () => {
  const [videos, arrivals] = [createSmallDisk(16), createSmallDisk(16)]
  onTestFinished(videos.remove)
  onTestFinished(arrivals.remove)
  mkdirSync(join(videos.path, 'objects'))
  const objects = await startObjectStore({
    OBJECTS_DIR: join(videos.path, 'objects'),
    OBJECTS_KEEP_FREE_BYTES: '0',
  })
  onTestFinished(async () => void (await objects.stop()))
  const env = { ...objects.s3Env, DATABASE_URL: await createTestDatabase(), TMPDIR: arrivals.path }
  const server = await startServer({ env })
  onTestFinished(async () => void (await server.stop()))
  const { token } = await createResearcher(createApi(server.http))
  const upload = async () => {
    const body = new FormData()
    body.set('file', new Blob(['a video'], { type: 'video/mp4' }), 'film.mp4')
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'atrium-test/1.0' }
    const address = server.http + uploadRoutes.direct.path
    const response = await fetch(address, { method: 'POST', headers, body })
    return { status: response.status, ...((await response.json()) as { code?: string; key?: string }) }
  }
  const client = new S3Client({
    endpoint: objects.http,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: {
      accessKeyId: objects.s3Env.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: objects.s3Env.S3_SECRET_ACCESS_KEY ?? '',
    },
  })
  onTestFinished(() => client.destroy())
  const { key: Key } = await upload()
  const isThere = async (): Promise<void> => {
    const stored = await client.send(new GetObjectCommand({ Bucket: objects.s3Env.VIDEO_BUCKET, Key }))
    expect(await stored.Body?.transformToString()).toBe('a video')
  }

  videos.fill()
  expect(await upload()).toMatchObject({ status: 507, code: 'STORAGE_FULL' })
  await isThere()
  videos.free()
  expect(await upload()).toMatchObject({ status: 200 })

  videos.setReadOnly(true)
  expect(await upload()).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
  await isThere()
  videos.setReadOnly(false)
  expect(await upload()).toMatchObject({ status: 200 })

  // Where the server keeps what arrives until it has all of it.
  arrivals.fill()
  expect(await upload()).toMatchObject({ status: 507, code: 'STORAGE_FULL' })
  arrivals.free()
  arrivals.setReadOnly(true)
  expect(await upload()).toMatchObject({ status: 503, code: 'UNAVAILABLE', details: { reason: 'read_only' } })
  arrivals.setReadOnly(false)
  expect(await upload()).toMatchObject({ status: 200 })
  await isThere()
}, 600_000)

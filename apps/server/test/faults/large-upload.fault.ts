import { spawn } from 'node:child_process'
import { createHash, hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { limits, objectKeys, uploadRoutes, videoRoutes } from '@atrium/contract'
import {
  createApi,
  createTemporaryFolder,
  makeTinyVideo,
  startObjectStore,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts'
import { startPartProxy } from './part-proxy.ts'

const script = fileURLToPath(new URL('../../../../scripts/upload.ts', import.meta.url))
const fileBytes = 1_200_000_000
const partCount = 12
const maxGrowthBytes = 200_000_000
const patient = { timeoutMs: 900_000, everyMs: 500 }

test('[R31] 1.2 GB in 12 parts, one of which fails once, resumed after the client was killed: the server’s memory stays flat', async () => {
  const folder = createTemporaryFolder('large-upload')
  onTestFinished(() => folder.remove())
  const videoPath = await makeLargeVideo(folder.path)
  const server = await startServer({ env: { VIDEO_BUCKET: 'atrium-test' } })
  onTestFinished(async () => void (await server.stop()))
  const proxy = await startPartProxy({
    target: server.http,
    breakPart: 3,
    afterBytes: 20_000_000,
    holdAfter: 5,
  })
  onTestFinished(() => proxy.stop())
  const api = createApi(server.http)
  const token = await api.token('console:ada', ['researcher'])

  function startClient() {
    const env = { ...process.env, XDG_STATE_HOME: folder.path }
    const client = spawn(process.execPath, [script, videoPath, '--server', proxy.http], { env })
    onTestFinished(() => void client.kill('SIGKILL'))
    return { client, output: text(client.stdout), errors: text(client.stderr), closed: once(client, 'close') }
  }

  const before = memoryOf(server.pid)
  forgetPeak(server.pid)

  const first = startClient()
  await waitUntil(() => proxy.stored.length >= 5 || `${proxy.stored.length} parts are stored`, patient)
  first.client.kill('SIGKILL')
  await first.closed
  await waitUntil(() => proxy.underWay() === 0 || 'parts are still under way')
  expect(proxy.broken()).toBe(1)

  const [video] = succeeded(await api.call(videoRoutes.list, { token })).videos
  const { videoId = '', uploadId } = video ?? {}
  const key = objectKeys.original(videoId, 'film.mp4')
  const query = { uploadId: uploadId ?? '', key }
  const listed = succeeded(await api.call(uploadRoutes.parts, { token, query })).parts
  const stored = listed.map(({ partNumber }) => partNumber)
  expect(stored.toSorted()).toEqual(proxy.stored.toSorted())
  const missing = allParts.filter((part) => !stored.includes(part))
  expect(missing.length).toBeGreaterThanOrEqual(3) // Four are sent at once, so that at most nine can be stored.

  proxy.holdNoMore()
  const begunBefore = proxy.begun.length
  const second = startClient()
  const [exitCode] = await second.closed
  expect(exitCode, await second.errors).toBe(0)
  expect(await second.output).toContain(videoId)
  const sentAgain = proxy.begun.slice(begunBefore)
  expect(sentAgain.toSorted((a, b) => a - b)).toEqual(missing)
  const afterUpload = memoryOf(server.pid)

  await waitUntil(async () => {
    const { hlsStatus, hlsError } = succeeded(
      await api.call(videoRoutes.read, { token, params: { videoId } }),
    )
    if (hlsStatus === 'failed') throw new Error(`failed: ${hlsError}`)
    return hlsStatus === 'ready' || hlsStatus
  }, patient)
  const { peakBytes } = memoryOf(server.pid)
  console.log(
    `resident memory: ${inMegabytes(before.bytes)} before, at most ${inMegabytes(afterUpload.peakBytes)} while it was uploaded and ${inMegabytes(peakBytes)} until it was ready; parts ${stored.join()} were stored when the client was killed, ${sentAgain.join()} were sent afterwards`,
  )
  expect(peakBytes - before.bytes).toBeLessThanOrEqual(maxGrowthBytes)

  // What the server has stored, as any other S3 client sees it.
  await server.end()
  const objects = await startObjectStore({ OBJECTS_DIR: join(server.dataDir, 'objects') })
  onTestFinished(async () => void (await objects.stop()))
  const blobs = createS3Blobs({
    endpoint: objects.http,
    region: 'us-east-1',
    bucket: objects.s3Env.VIDEO_BUCKET ?? '',
    accessKeyId: objects.s3Env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: objects.s3Env.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: true,
  })
  onTestFinished(() => blobs.close())
  expect(await blobs.head(key)).toEqual({
    size: fileBytes,
    contentType: 'video/mp4',
    etag: await etagOf(videoPath),
  })
}, 1_800_000)

const allParts = Array.from({ length: partCount }, (_, index) => index + 1)

/** A few seconds of video, and then a hole that players skip. It takes hardly any space on the disk. */
async function makeLargeVideo(folder: string): Promise<string> {
  const video = { width: 320, height: 180, seconds: 3, headerFirst: true }
  const path = await makeTinyVideo(folder, 'film.mp4', video)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(fileBytes - statSync(path).size)
  header.write('free', 4)
  await appendFile(path, header)
  truncateSync(path, fileBytes)
  return path
}

/** As S3 makes it from the parts. */
async function etagOf(path: string): Promise<string> {
  const whole = createHash('md5')
  const file = await open(path)
  const buffer = Buffer.alloc(limits.uploadPartBytes)
  for (const part of allParts) {
    const position = (part - 1) * buffer.length
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    whole.update(hash('md5', buffer.subarray(0, bytesRead), 'buffer'))
  }
  await file.close()
  return `${whole.digest('hex')}-${partCount}`
}

/** Resident memory of a process, now and at its peak, which the kernel keeps: samples could miss it. */
function memoryOf(pid: number): { bytes: number; peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024
  return { bytes: of('VmRSS'), peakBytes: of('VmHWM') }
}

/** The peak begins anew at what is resident now. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { limits } from '@atrium/contract'
import { expect, onTestFinished, test } from 'vitest'
import { UploadAborted } from '../errors.ts'
import { createQuickClock } from '../test/quick-clock.ts'
import { isMediaFile } from './media-types.ts'
import { mediaBatches, uploadMedia } from './upload-media.ts'
import type { UploadProgress } from './upload-video.ts'

const stored = { mediaId: 'med_1', name: 'face.png', kind: 'picture', bytes: 5 }

/** Answers each request with the next status; the last one again and again. */
async function platform(...statuses: [number, ...number[]]) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    const status = statuses[Math.min(bodies.length, statuses.length) - 1] ?? 200
    const body =
      status === 200
        ? { media: [stored] }
        : { error: 'No.', code: status === 503 ? 'UNAVAILABLE' : 'MEDIA_NAME_TAKEN', details: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const told: UploadProgress[] = []
  const options = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    getIdToken: () => 'token',
    onProgress: (progress: UploadProgress) => void told.push(progress),
    clock: createQuickClock(),
    random: () => 0,
  }
  return { bodies, told, options }
}

const files = [new File(['12345'], 'face.png'), new File(['678'], 'hum.wav')]

test('[R67] files go in one request, and again while the platform has a problem of its own', async () => {
  const { bodies, told, options } = await platform(503, 200)
  expect(await uploadMedia(files, options)).toEqual([stored])
  expect(bodies).toHaveLength(2)
  for (const body of bodies)
    expect([...body.matchAll(/filename="([^"]+)"/g)].map(([, name]) => name)).toEqual(['face.png', 'hum.wav'])
  expect(told.map(({ kind, sentBytes, totalBytes }) => [kind, sentBytes, totalBytes])).toEqual([
    ['uploading', 8, 8],
    ['retrying', 0, 8],
    ['uploading', 8, 8],
  ])
})

test('[R67] what the platform refuses is not repeated, and what is stopped says so', async () => {
  const { bodies, options } = await platform(409)
  await expect(uploadMedia(files, options)).rejects.toMatchObject({ code: 'MEDIA_NAME_TAKEN' })
  expect(bodies).toHaveLength(1)
  const stop = new AbortController()
  const stopped = uploadMedia(files, {
    ...options,
    signal: stop.signal,
    getIdToken() {
      stop.abort()
      return 'token'
    },
  })
  await expect(stopped).rejects.toThrow(UploadAborted)
  await expect(uploadMedia(files, { ...options, signal: stop.signal })).rejects.toThrow(UploadAborted)
})

test('[R67] a request has as many files as it may have, in their order', () => {
  const sized = (size: number) => ({ size })
  const half = limits.uploadPartBytes / 2
  expect(mediaBatches([])).toEqual([])
  expect(mediaBatches([sized(1), sized(2)])).toEqual([[sized(1), sized(2)]])
  // Two halves and the form around them are more than a request takes.
  expect(mediaBatches([sized(half), sized(half), sized(3)])).toEqual([[sized(half)], [sized(half), sized(3)]])
  const many = Array.from({ length: limits.media.filesPerUpload + 1 }, (_, size) => ({ size }))
  expect(mediaBatches(many).map(({ length }) => length)).toEqual([limits.media.filesPerUpload, 1])
})

test('[R67] pictures, sounds and ZIPs are known by their type or by their name', () => {
  const known = (name: string, type = '') => isMediaFile({ name, type })
  expect(['a.PNG', 'a.b.jpeg', 'a.zip', 'a.flac'].map((name) => known(name))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(known('no ending', 'audio/mpeg')).toBe(true)
  expect(['a.svg', 'a.mp4', 'png', 'a.txt'].map((name) => known(name))).toEqual([false, false, false, false])
  expect(known('a', 'constructor')).toBe(false)
})

import { closeSync, openSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileMemory, uploadFile } from '@atrium/client/node'
import { limits, videoRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  describeInOneMode,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

describeInOneMode(
  'The SDK uploads',
  (world) => {
    const api = createApi(() => world().any().http)

    /** Mostly a hole, so that it takes no space on the disk. */
    function fileOf(size: number): { path: string; memory: ReturnType<typeof fileMemory> } {
      const folder = createTemporaryFolder('sdk-upload')
      onTestFinished(() => folder.remove())
      const path = join(folder.path, 'film.mp4')
      const file = openSync(path, 'w')
      writeSync(file, 'not really a video')
      closeSync(file)
      truncateSync(path, size)
      return { path, memory: fileMemory(join(folder.path, 'uploads.json')) }
    }

    it('[R31] a small file in one request, a large one in parts, resumed after an interruption', async () => {
      const { token } = await createResearcher(api)
      const options = { baseUrl: world().any().http, getIdToken: () => token }
      const record = async (videoId: string) =>
        succeeded(await api.call(videoRoutes.read, { token, params: { videoId } }))

      const small = fileOf(1_000)
      const direct = await (await uploadFile(small.path, { ...options, memory: small.memory })).done
      expect(await record(direct.videoId)).toMatchObject({
        filename: 'film.mp4',
        size: 1_000,
        uploadId: null,
      })

      const { path, memory } = fileOf(limits.uploadPartBytes + 1_000)
      const stop = new AbortController()
      let videoId = ''
      const interrupted = await uploadFile(path, {
        ...options,
        memory,
        signal: stop.signal,
        onBegun: (upload) => {
          videoId = upload.videoId
        },
        // As soon as the short second part is on its way.
        onProgress: ({ sentBytes }) => sentBytes > 1_000 && stop.abort(),
      })
      await expect(interrupted.done).rejects.toThrow('aborted')
      await waitUntil(async () => (await record(videoId)).uploadId !== null || 'no upload')
      const resumed = await (await uploadFile(path, { ...options, memory })).done
      expect(resumed.videoId).toBe(videoId)
      expect(await record(videoId)).toMatchObject({ size: limits.uploadPartBytes + 1_000, uploadId: null })
    })
  },
  { objects: true },
)

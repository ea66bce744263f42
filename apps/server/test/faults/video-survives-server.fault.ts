import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, makeTinyVideo, startServer, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createVideoMaker } from '../media/video-maker.ts'

test('[V6,T17,T20] the only server is killed in the middle of a video: it begins anew, and nothing is left', async () => {
  const folder = createTemporaryFolder('film-server')
  onTestFinished(() => folder.remove())
  const server = await startServer()
  onTestFinished(async () => void (await server.stop()))
  const maker = await createVideoMaker(server.http)
  const video = { width: 854, height: 480, seconds: 30, hasAudio: true }
  const videoId = await maker.upload(await makeTinyVideo(folder.path, 'film', video))
  const slot = join(server.dataDir, 'transcoding', '0')
  const jobFolders = () => (existsSync(slot) ? readdirSync(slot) : [])
  await waitUntil(
    async () => {
      const { hlsStatus } = await maker.read(videoId)
      return (hlsStatus === 'processing' && jobFolders().length > 0) || `${hlsStatus}, nobody works on it`
    },
    { timeoutMs: 500_000, everyMs: 100 },
  )
  const left = jobFolders()
  await server.kill()
  expect(jobFolders()).toEqual(left)
  await server.restart()
  expect(jobFolders().some((name) => left.includes(name))).toBe(false)
  expect(await maker.ready(videoId)).toMatchObject({ levels: ['360p', '480p'], width: 854, height: 480 })
  await waitUntil(() => jobFolders().length === 0 || jobFolders().join())
}, 900_000)

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createTemporaryFolder,
  makeTinyVideo,
  type Server,
  startObjectStore,
  startServer,
  startWorld,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVideoMaker } from '../media/video-maker.ts'

const entry = fileURLToPath(new URL('../../src/entry/work.ts', import.meta.url))
const INTERNAL_API_KEY = 'a-key-of-workers-and-server'

describe('A video on several machines: PostgreSQL, Redis, an object store, two pods and two workers', () => {
  const folder = createTemporaryFolder('film-workers')
  let objects: Awaited<ReturnType<typeof startObjectStore>>
  let world: World
  let workers: Server[] = []

  beforeAll(async () => {
    objects = await startObjectStore()
    world = await startWorld('cluster', { env: { ...objects.s3Env, INTERNAL_API_KEY } })
    workers = await Promise.all([startWorker('one'), startWorker('two')])
  })
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await world?.stop()
    await objects?.stop()
    folder.remove()
  })

  const workDirOf = (name: string) => join(folder.path, name)
  const startWorker = (name: string) =>
    startServer({
      entry,
      env: {
        ...objects.s3Env,
        WORK_PORT: '0',
        WORK_DIR: workDirOf(name),
        REDIS_URL: world.redis?.url ?? '',
        BACKEND_URL: world.any().http,
        INTERNAL_API_KEY,
      },
    })
  const jobFoldersOf = (name: string) => {
    const slot = join(workDirOf(name), '0')
    return existsSync(slot) ? readdirSync(slot).map((job) => join(slot, job)) : []
  }

  test('[J22,J29] a worker is killed in the middle of a video: another one makes it, and nothing is left', async () => {
    const maker = await createVideoMaker(world.any().http)
    const video = { width: 854, height: 480, seconds: 30, hasAudio: true }
    const videoId = await maker.upload(await makeTinyVideo(folder.path, 'film', video))
    let at = -1
    await waitUntil(
      async () => {
        at = ['one', 'two'].findIndex((name) => jobFoldersOf(name).length > 0)
        const { hlsStatus } = await maker.read(videoId)
        return (hlsStatus === 'processing' && at >= 0) || `${hlsStatus}, nobody works on it`
      },
      { timeoutMs: 500_000, everyMs: 100 },
    )
    const victim = workers[at] ?? expect.fail()
    await victim.kill()
    expect(await maker.ready(videoId)).toMatchObject({ levels: ['360p', '480p'], width: 854, height: 480 })
    await victim.restart()
    await waitUntil(() => {
      const left = ['one', 'two'].flatMap(jobFoldersOf)
      return left.length === 0 || left.join()
    })
  }, 600_000)
})

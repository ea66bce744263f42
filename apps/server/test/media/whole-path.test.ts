import { createTemporaryFolder, makeTinyVideo, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFilmMaker } from './films.ts'

describe('A film on one machine', () => {
  const folder = createTemporaryFolder('films')
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(async () => {
    await server?.stop()
    folder.remove()
  })

  test('[J17] is uploaded, transcoded and played', async () => {
    const maker = await createFilmMaker(server.http)
    const film = await makeTinyVideo(folder.path, 'film', {
      width: 640,
      height: 480,
      seconds: 7,
      hasAudio: true,
    })
    const videoId = await maker.upload(film)
    const record = await maker.ready(videoId)
    expect(record).toMatchObject({ levels: ['360p', '480p'], width: 640, height: 480, progress: null })
    const master = await fetch(`${server.http}${record.playbackUrl}`)
    expect(await master.text()).toContain('master_480p.m3u8')
  })
})

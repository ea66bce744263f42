import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createTemporaryFolder,
  findProgram,
  makeTinyVideo,
  type Server,
  startServer,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFilmMaker } from './films.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 600_000 })

describe('A film on one machine', () => {
  const folder = createTemporaryFolder('films')
  const [ffmpeg, ffprobe] = [join(folder.path, 'ffmpeg'), join(folder.path, 'ffprobe')]
  let server: Server
  let maker: Awaited<ReturnType<typeof createFilmMaker>>
  beforeAll(async () => {
    server = await startServer({ env: { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe } })
    maker = await createFilmMaker(server.http)
  })
  afterAll(async () => {
    await server?.stop()
    folder.remove()
  })

  const hasEnded = async (videoId: string) => {
    const { hlsStatus, hlsNote } = await maker.read(videoId)
    return hlsStatus === 'failed' || hlsStatus === 'ready' || `${hlsStatus} ${hlsNote ?? ''}`
  }

  function installFfmpeg(): void {
    if (existsSync(ffmpeg)) return
    symlinkSync(findProgram('ffmpeg'), ffmpeg)
    symlinkSync(findProgram('ffprobe'), ffprobe)
  }
  const outputFolders = () =>
    readdirSync(join(server.dataDir, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\bhls\b/.test(name),
    )

  test('[J17,T1,V5] waits for ffmpeg and says so, and is transcoded and played once it is there', async () => {
    const missing = 'FFMPEG_PATH of this server names no program that can be run'
    expect(server.stderr()).toContain(missing)
    const film = { width: 640, height: 480, seconds: 7, hasAudio: true }
    const videoId = await maker.upload(await makeTinyVideo(folder.path, 'film', film))
    await waitUntil(async () => {
      const { hlsStatus, hlsNote } = await maker.read(videoId)
      return (hlsStatus === 'pending' && hlsNote?.includes(missing)) || `${hlsStatus}: ${hlsNote}`
    })
    installFfmpeg()
    const record = await maker.ready(videoId)
    expect(record).toMatchObject({ levels: ['360p', '480p'], width: 640, height: 480, progress: null })
    expect(record).toMatchObject({ hlsNote: null, hlsError: null })
    const master = await fetch(`${server.http}${record.playbackUrl}`)
    expect(await master.text()).toContain('master_480p.m3u8')
  })

  test.each([
    ['a playlist in disguise', '#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n', 'only lists other files'],
    ['a picture', '\x89PNG\r\n\x1a\n and so on', 'This file is a picture'],
    ['nonsense', 'no film at all '.repeat(500), 'cannot be read as a film'],
  ])(
    '[J4,T3] that is %s has failed with a sentence, at once and for good, and leaves nothing',
    async (_, content, sentence) => {
      installFfmpeg()
      const before = outputFolders()
      const path = join(folder.path, 'odd.mp4')
      writeFileSync(path, content, 'latin1')
      const videoId = await maker.upload(path)
      await waitUntil(() => hasEnded(videoId))
      const record = await maker.read(videoId)
      expect(record).toMatchObject({ hlsStatus: 'failed', levels: [], playbackUrl: null, posterUrl: null })
      expect(record.hlsError).toContain(sentence)
      expect(outputFolders()).toEqual(before)
      expect(readdirSync(join(server.dataDir, 'transcoding', '0'))).toEqual([])
    },
  )
})

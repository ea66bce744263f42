import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTinyVideo, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ffmpegIsMissing, smallVideo, startVideoMachine, type VideoMachine } from './video-machine.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 600_000 })

describe('A video on one machine', () => {
  let machine: VideoMachine
  beforeAll(async () => {
    machine = await startVideoMachine()
  })
  afterAll(() => machine?.stop())

  const hasEnded = async (videoId: string) => {
    const { hlsStatus, hlsNote } = await machine.maker.read(videoId)
    return hlsStatus === 'failed' || hlsStatus === 'ready' || `${hlsStatus} ${hlsNote ?? ''}`
  }
  const outputFolders = () =>
    readdirSync(join(machine.server.dataDir, 'objects'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\bhls\b/.test(name),
    )

  // That it is transcoded half a minute later is in ffmpeg-later.long.ts.
  test('[J17] waits for ffmpeg and says so', async () => {
    const { server, folder, maker } = machine
    expect(server.stderr()).toContain(ffmpegIsMissing)
    const tiny = { width: 64, height: 36, seconds: 1 }
    const videoId = await maker.upload(await makeTinyVideo(folder, 'early', tiny))
    await waitUntil(async () => {
      const { hlsStatus, hlsNote } = await maker.read(videoId)
      return (hlsStatus === 'pending' && hlsNote?.includes(ffmpegIsMissing)) || `${hlsStatus}: ${hlsNote}`
    })
  })

  test('[J17,T1,V5] is transcoded and played where ffmpeg has been installed meanwhile', async () => {
    const { server, folder, maker, installFfmpeg } = machine
    installFfmpeg()
    const videoId = await maker.upload(await makeTinyVideo(folder, 'film', smallVideo))
    const record = await maker.ready(videoId)
    expect(record).toMatchObject({ levels: ['360p', '480p'], width: 640, height: 480, progress: null })
    expect(record).toMatchObject({ hlsNote: null, hlsError: null })
    const master = await fetch(`${server.http}${record.playbackUrl}`)
    expect(await master.text()).toContain('master_480p.m3u8')
  })

  test.each([
    ['a playlist in disguise', '#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n', 'only lists other files'],
    ['a picture', '\x89PNG\r\n\x1a\n and so on', 'This file is a picture'],
    ['nonsense', 'no video at all '.repeat(500), 'cannot be read as a video'],
  ])(
    '[J4,T3] that is %s has failed with a sentence, at once and for good, and leaves nothing',
    async (_, content, sentence) => {
      const { server, folder, maker, installFfmpeg } = machine
      installFfmpeg()
      const before = outputFolders()
      const path = join(folder, 'odd.mp4')
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

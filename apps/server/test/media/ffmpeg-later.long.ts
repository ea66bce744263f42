import { makeTinyVideo, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { ffmpegIsMissing, smallFilm, startFilmMachine } from './film-machine.ts'

// Here because a server looks for ffmpeg again only after half a minute.
test('[J17,T1,V5] a film waits for ffmpeg and says so, and is transcoded and played once it is there', async () => {
  const { server, folder, maker, installFfmpeg, stop } = await startFilmMachine()
  onTestFinished(stop)
  const videoId = await maker.upload(await makeTinyVideo(folder, 'film', { ...smallFilm, seconds: 7 }))
  await waitUntil(async () => {
    const { hlsStatus, hlsNote } = await maker.read(videoId)
    return (hlsStatus === 'pending' && hlsNote?.includes(ffmpegIsMissing)) || `${hlsStatus}: ${hlsNote}`
  })
  installFfmpeg()
  const record = await maker.ready(videoId)
  expect(record).toMatchObject({ levels: ['360p', '480p'], width: 640, height: 480, progress: null })
  expect(record).toMatchObject({ hlsNote: null, hlsError: null })
  const master = await fetch(`${server.http}${record.playbackUrl}`)
  expect(await master.text()).toContain('master_480p.m3u8')
}, 600_000)

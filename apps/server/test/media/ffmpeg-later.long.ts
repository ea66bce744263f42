import { makeTinyVideo, startOnFreshMachine, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { ffmpegIsMissing, smallVideo, startVideoMachine } from './video-machine.ts'
import { createVideoMaker } from './video-maker.ts'

// Here because a server looks for ffmpeg again only after half a minute.
test('[J17,T1,V5] a video waits for ffmpeg and says so, and is transcoded and played once it is there', async () => {
  const { server, folder, maker, installFfmpeg, stop } = await startVideoMachine()
  onTestFinished(stop)
  const videoId = await maker.upload(await makeTinyVideo(folder, 'film', { ...smallVideo, seconds: 7 }))
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

test('[R1,T1] after npm start, a video waits until system programs are installed, and is then transcoded', async () => {
  const machine = await startOnFreshMachine()
  onTestFinished(machine.remove)
  const maker = await createVideoMaker(machine.server.http)
  const videoId = await maker.upload(await makeTinyVideo(machine.folder, 'film', smallVideo))
  await waitUntil(async () => {
    const { hlsStatus, hlsNote } = await maker.read(videoId)
    return (hlsStatus === 'pending' && hlsNote?.includes('is not installed')) || `${hlsStatus}: ${hlsNote}`
  })
  expect(machine.aptLog()).toContain('ffmpeg bubblewrap')
  machine.letAptInstall()
  expect(await maker.ready(videoId)).toMatchObject({
    levels: ['360p', '480p'],
    hlsNote: null,
    hlsError: null,
  })
  expect(await machine.stop()).toBe(0)
}, 600_000)

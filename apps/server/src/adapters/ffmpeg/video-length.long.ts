import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectContractOutput } from './test/expect-output.ts'
import { testLateBeginning, testStreamOfAYear } from './test/length-tests.ts'
import { joinVideos, makeVideo } from './test/make-video.ts'
import { openTranscodeWorld, type TranscodeWorld } from './test/transcode-world.ts'
import { withLatePictures } from './test/wrong-times.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 900_000 })

let world: TranscodeWorld
beforeAll(async () => {
  world = await openTranscodeWorld()
})
afterAll(() => world.close())

testStreamOfAYear(() => world, 'sound')

test('[T3] [T22] a video whose time stamps jump by a day is as long as they say, and refused', async () => {
  const bytes = await makeVideo(world.folder, 'film.flv', {})
  const { storageKey } = await world.upload(withLatePictures(bytes, { fromMs: 1_000, laterMs: 86_400_000 }))
  await expect(world.probe(storageKey)).rejects.toThrow('says that it is 24 hours long')
})

test('[T22] recordings that were joined keep all their pictures, although their time stamps begin anew', async () => {
  const part = await makeVideo(world.folder, 'film.ts', { sound: ['-c:a', 'aac'] })
  const video = await world.upload(Buffer.concat(Array.from({ length: 4 }, () => part)))
  const { source } = await world.transcode(video)
  expect(source.durationMs).toBeGreaterThan(7_500)
  expect(source.durationMs).toBeLessThan(8_500)
  const [level] = await expectContractOutput(world, video.videoId, {
    levels: ['360p'],
    rate: '25/1',
    frames: 200,
  })
  expect(level?.seconds).toHaveLength(2)
})

testLateBeginning(() => world, 'the picture')

test('[T23] where the size of the picture changes within a video, nothing is heard or shown twice', async () => {
  const vp8 = {
    picture: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
    sound: ['-c:a', 'libopus'],
  }
  await makeVideo(world.folder, 'large.webm', { ...vp8, size: '128x72' })
  await makeVideo(world.folder, 'small.webm', { ...vp8, size: '64x48' })
  const video = await world.upload(await joinVideos(world.folder, 'sizes.webm', ['large.webm', 'small.webm']))
  await world.transcode(video)
  await expectContractOutput(world, video.videoId, { levels: ['360p'], rate: '25/1', frames: 100 })
})

test('[T23] where the kind of sound changes within a video, nothing is heard twice', async () => {
  const stereo = await makeVideo(world.folder, 'stereo.ts', { sound: ['-c:a', 'aac', '-ac', '2'] })
  const mono = await makeVideo(world.folder, 'mono.ts', {
    sound: ['-c:a', 'aac', '-ac', '1', '-ar', '44100'],
  })
  const video = await world.upload(Buffer.concat([stereo, mono, stereo]))
  await world.transcode(video)
  await expectContractOutput(world, video.videoId, { levels: ['360p'], rate: '25/1', frames: 150 })
})

test('[T23] a video that makes endless silence by changing its sound all the time is refused', async () => {
  const mp3 = (channels: string) => ['-c:a', 'libmp3lame', '-ac', channels]
  await makeVideo(world.folder, 'begin.mkv', {
    seconds: 0.6,
    sound: ['-af', 'asetpts=PTS+0.2/TB', ...mp3('2')],
  })
  await makeVideo(world.folder, 'two.mkv', { seconds: 0.12, sound: mp3('2') })
  await makeVideo(world.folder, 'one.mkv', { seconds: 0.12, sound: mp3('1') })
  const parts = ['begin.mkv', ...Array.from({ length: 60 }, () => ['one.mkv', 'two.mkv']).flat()]
  const video = await world.upload(await joinVideos(world.folder, 'restless.mkv', parts))
  await expect(world.transcode(video)).rejects.toThrow('far longer than it says')
})

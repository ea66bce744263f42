import { objectKeys } from '@atrium/contract'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { testLateBeginning, testStreamOfAYear } from './test/length-tests.ts'
import { rarerShapes, testAllLevels, testShapes } from './test/output-tests.ts'
import { openTranscodeWorld, type TranscodeWorld } from './test/transcode-world.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 900_000 })

let world: TranscodeWorld
beforeAll(async () => {
  world = await openTranscodeWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  expect(await world.leftovers()).toEqual([])
})

testAllLevels(() => world, { rate: '30000/1001', frames: 210 })
testShapes(() => world, rarerShapes)
testStreamOfAYear(() => world, 'picture')
testLateBeginning(() => world, 'the sound')

test('[T12] the poster is the first picture that is not black', async () => {
  const [dark, bright] = [
    await world.uploadTiny({ width: 320, height: 180, seconds: 2, blackSeconds: 1 }),
    await world.uploadTiny({ width: 320, height: 180, seconds: 2, blackSeconds: 9 }),
  ]
  await world.transcode(dark)
  await world.transcode(bright)
  const bytesOf = ({ videoId }: { videoId: string }) =>
    world.objects.contents.get(objectKeys.poster(videoId))?.bytes.length ?? 0
  expect(bytesOf(bright)).toBeGreaterThan(0) // All of it is black, so that it is the first picture.
  expect(bytesOf(dark)).toBeGreaterThan(bytesOf(bright) * 2)
})

test('[T13] another run removes what the earlier one has stored under other names', async () => {
  const video = await world.uploadTiny({ width: 854, height: 480, seconds: 1 })
  await world.transcode(video)
  expect(await world.keysOf(video.videoId)).toContain(`videos/${video.videoId}/hls/master_480p.m3u8`)
  await world.transcode(video, { levels: ['360p'] })
  expect((await world.keysOf(video.videoId)).toSorted()).toEqual(
    ['master.m3u8', 'master_360p.m3u8', 'master_360p_00001.ts', 'poster.jpg'].map(
      (name) => `videos/${video.videoId}/hls/${name}`,
    ),
  )
})

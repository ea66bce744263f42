import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectContractOutput } from '../../src/adapters/ffmpeg/test/expect-output.ts'
import { openTranscodeWorld, type TranscodeWorld } from '../../src/adapters/ffmpeg/test/transcode-world.ts'

// With the preset of production: some minutes of CPU.
vi.setConfig({ testTimeout: 1_800_000 })

let world: TranscodeWorld
beforeAll(async () => {
  world = await openTranscodeWorld({ encoder: { preset: 'veryfast', threads: 2 } })
})
afterAll(() => world.close())

const all = ['360p', '480p', '720p', '1080p'] as const
const landscape = { seconds: 13, rate: '25' }

test.each([
  ['1080p', { ...landscape, width: 1920, height: 1080 }, all, '25/1', 325],
  ['720p', { ...landscape, width: 1280, height: 720 }, all.slice(0, 3), '25/1', 325],
  ['480p', { ...landscape, width: 854, height: 480 }, all.slice(0, 2), '25/1', 325],
  ['360p', { ...landscape, width: 640, height: 360 }, all.slice(0, 1), '25/1', 325],
  ['240p', { ...landscape, width: 426, height: 240 }, all.slice(0, 1), '25/1', 325],
  ['portrait', { ...landscape, width: 720, height: 1280 }, all, '25/1', 325],
  ['turned', { ...landscape, width: 1280, height: 720, rotation: 270 }, all, '25/1', 325],
  ['no sound', { ...landscape, width: 640, height: 360, hasAudio: false }, all.slice(0, 1), '25/1', 325],
  [
    '23.976',
    { width: 854, height: 480, seconds: 13, rate: '24000/1001' },
    all.slice(0, 2),
    '24000/1001',
    312,
  ],
  ['29.97', { width: 854, height: 480, seconds: 13, rate: '30000/1001' }, all.slice(0, 2), '30000/1001', 390],
  ['59.94', { width: 640, height: 360, seconds: 13, rate: '60000/1001' }, all.slice(0, 1), '60000/1001', 780],
] as const)('[T5] [T6] [T8] [T9] [T10] %s', async (_, video, levels, rate, frames) => {
  const uploaded = await world.uploadTiny(video)
  await world.transcode(uploaded)
  const seen = await expectContractOutput(world, uploaded.videoId, { levels, rate, frames })
  for (const { seconds } of seen) expect(seconds).toHaveLength(3)
  expect(await world.leftovers()).toEqual([])
})

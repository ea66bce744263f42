import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
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

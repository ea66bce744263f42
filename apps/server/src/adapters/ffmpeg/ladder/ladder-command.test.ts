import { levelsFor, qualityLevels } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Film } from '../source/film.ts'
import { fitWithin } from './fit.ts'
import { ladderArguments } from './ladder-command.ts'

const film: Film = {
  container: 'mov,mp4',
  durationMs: 8_000,
  video: {
    index: 0,
    size: { width: 1280, height: 720 },
    rate: { over: 24_000, under: 1_001 },
    isInterlaced: false,
    durationMs: 8_000,
  },
  audio: { index: 1, durationMs: 8_000 },
}
const encoder = { preset: 'veryfast', threads: 2 }
const graphOf = (given: Film) => {
  const args = ladderArguments(given, levelsFor(given.video.size.height), encoder)
  return args[args.indexOf('-filter_complex') + 1] ?? ''
}

test('[T8] one command for the whole ladder', () => {
  expect(ladderArguments(film, levelsFor(480), encoder)).toMatchSnapshot()
})

test('[T7] a silent track, or sound that is padded to the length of the picture', () => {
  expect(graphOf({ ...film, audio: null })).toContain(
    'anullsrc=sample_rate=48000:channel_layout=stereo:duration=8000ms',
  )
  expect(graphOf(film)).toContain('apad=whole_dur=8000ms')
})

test('[T7] the last picture stays until the sound ends', () => {
  expect(graphOf({ ...film, audio: { index: 1, durationMs: 20_000 } })).toContain('stop_duration=12000ms')
  expect(graphOf({ ...film, audio: { index: 1, durationMs: 8_200 } })).not.toContain('tpad')
})

test('[T5] interlaced pictures are deinterlaced first', () => {
  expect(graphOf({ ...film, video: { ...film.video, isInterlaced: true } })).toContain('[0:0]bwdif')
})

describe('[T5] fitting into a level', () => {
  const sides = fc.integer({ min: 1, max: 65_535 })
  const shapes = fc.record({ width: sides, height: sides })

  test('the picture is even, within the level, and touches it', () => {
    fc.assert(
      fc.property(shapes, fc.constantFrom(...qualityLevels), (shape, level) => {
        const { width, height } = fitWithin(shape, level)
        expect([width % 2, height % 2]).toEqual([0, 0])
        expect(width >= 2 && height >= 2 && width <= level.width && height <= level.height).toBe(true)
        expect(width === level.width || height === level.height).toBe(true)
      }),
    )
  })

  test('the proportions stay, up to the rounding to even numbers', () => {
    fc.assert(
      fc.property(shapes, fc.constantFrom(...qualityLevels), (shape, level) => {
        const { width, height } = fitWithin(shape, level)
        const scale = Math.min(level.width / shape.width, level.height / shape.height)
        expect(Math.abs(width - shape.width * scale)).toBeLessThanOrEqual(2)
        expect(Math.abs(height - shape.height * scale)).toBeLessThanOrEqual(2)
      }),
    )
  })
})

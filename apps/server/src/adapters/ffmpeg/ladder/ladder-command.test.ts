import { hlsOutput, levelsFor, qualityLevels } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxPixels } from '../programs/demuxers.ts'
import type { ProbedVideo } from '../source/probed-video.ts'
import { fitWithin, ladderArguments } from './ladder-command.ts'

const sides = fc.integer({ min: 1, max: 65_535 })
const shapes = fc.record({ width: sides, height: sides })
const lengths = fc.integer({ min: 1, max: 86_400_000 })

/** Any video that an inspection can describe. */
const videos: fc.Arbitrary<ProbedVideo> = fc.record({
  container: fc.constantFrom('mov,mp4', 'matroska,webm', 'mpegts', 'flv'),
  durationMs: lengths,
  video: fc.record({
    index: fc.nat(5),
    size: shapes,
    rate: fc.constantFrom({ over: 25, under: 1 }, { over: 24_000, under: 1_001 }),
    isInterlaced: fc.boolean(),
    durationMs: fc.option(lengths),
  }),
  audio: fc.option(fc.record({ index: fc.nat(5), beginsLate: fc.boolean(), durationMs: fc.option(lengths) })),
})

/** Checks a rule on the command for any video. */
const onAnyVideo = (check: (args: string[], probed: ProbedVideo) => void) =>
  fc.assert(
    fc.property(videos, (probed) => {
      const encoder = { preset: 'veryfast', threads: 2 }
      check(ladderArguments(probed, levelsFor(probed.video.size.height), encoder), probed)
    }),
  )

const valuesOf = (args: readonly string[], name: string): string[] =>
  args.filter((_, index) => args[index - 1] === name)

test('[T8] every level has a constant bit rate, the one in the contract', () => {
  onAnyVideo((args, probed) => {
    const levels = levelsFor(probed.video.size.height)
    for (const [index, { bitsPerSecond }] of levels.entries())
      for (const name of ['b', 'minrate', 'maxrate'])
        expect(valuesOf(args, `-${name}:v:${index}`)).toEqual([String(bitsPerSecond)])
    expect(args.filter((arg) => arg.startsWith('-b:v'))).toHaveLength(levels.length)
  })
})

test('[T8] [T9] every level is written once, with its own pictures, the one sound, and segments as long as the contract says', () => {
  onAnyVideo((args, probed) => {
    const levels = levelsFor(probed.video.size.height)
    const outputs = (args.at(-1) ?? '').split('|')
    expect(outputs).toHaveLength(levels.length)
    for (const [index, { name }] of levels.entries()) {
      const output = outputs[index] ?? ''
      expect(output).toContain(`'v:${index},a:0\\'`)
      expect(output).toContain(`:hls_time=${hlsOutput.segmentSeconds}:`)
      expect(output.endsWith(`]master_${name}.m3u8`)).toBe(true)
    }
    // The last output in the order of `-map` is the sound.
    expect(valuesOf(args, '-map')).toEqual([...levels.map((_, index) => `[v${index}]`), '[a]'])
  })
})

test('[T5] the pictures of every level end up as large as the contract says', () => {
  onAnyVideo((args, probed) => {
    const [pictures = ''] = valuesOf(args, '-filter_complex')
    for (const [index, { width, height }] of levelsFor(probed.video.size.height).entries()) {
      const [, chain = ''] = new RegExp(`\\[s${index}\\]([^;]*)\\[v${index}\\]`).exec(pictures) ?? []
      const [, size] = /pad=(\d+:\d+):/.exec(chain) ?? []
      expect(size).toBe(`${width}:${height}`)
    }
  })
})

test('[T4] the only input is our own file, and what keeps it from pulling in others stands before it', () => {
  onAnyVideo((args) => {
    expect(valuesOf(args, '-i')).toEqual(['file:source'])
    const before = args.slice(0, args.indexOf('-i'))
    expect(valuesOf(before, '-protocol_whitelist')).toEqual(['file'])
    expect(valuesOf(before, '-max_pixels')).toEqual([String(maxPixels)])
    const [containers = ''] = valuesOf(before, '-format_whitelist')
    expect(containers.split(',')).toContain('mov')
    for (const naming of ['hls', 'concat', 'dash', 'image2', 'webvtt', 'sdp', 'lavfi'])
      expect(containers.split(',')).not.toContain(naming)
  })
})

test('[T22] neither what is read nor the output goes on for more than 10 s after the video', () => {
  onAnyVideo((args, { durationMs }) => {
    const input = args.indexOf('-i')
    for (const part of [args.slice(0, input), args.slice(input)])
      expect(valuesOf(part, '-t')).toEqual([String((durationMs + 10_000) / 1_000)])
  })
})

test('no metadata of the source reaches participants', () => {
  onAnyVideo((args) => {
    expect([...valuesOf(args, '-map_metadata'), ...valuesOf(args, '-map_chapters')]).toEqual(['-1', '-1'])
  })
})

describe('[T5] fitting into a level', () => {
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

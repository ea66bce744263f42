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
  audio: { index: 1, beginsLate: false, durationMs: 8_000 },
}
const encoder = { preset: 'veryfast', threads: 2 }
const graphOf = (given: Film) => {
  const args = ladderArguments(given, levelsFor(given.video.size.height), encoder)
  return args.filter((_, index) => args[index - 1] === '-filter_complex').join(';')
}

test('[T8] one command for the whole ladder', () => {
  const scale = (size: string) =>
    `scale=${size}:flags=bicubic:out_range=tv,format=yuv420p,pad=${size}:(ow-iw)/2:(oh-ih)/2,setsar=1`
  const hls = (level: string, index: number) =>
    `[select=\\'v:${index},a:0\\':f=hls:hls_time=6:hls_playlist_type=vod:hls_flags=independent_segments:hls_segment_filename=master_${level}_%05d.ts:start_number=1]master_${level}.m3u8`
  const command = ladderArguments(film, levelsFor(480), encoder).join(' ')
  expect(command.split(/ (?=-[a-z])/)).toEqual([
    '-nostdin',
    '-hide_banner',
    '-v error',
    '-progress pipe:1',
    '-threads 2',
    '-filter_complex_threads 2',
    '-t 18',
    '-protocol_whitelist file',
    '-format_whitelist mov,matroska,avi,mpegts,mpeg,asf,flv,ogg,mxf',
    '-max_pixels 37748736',
    '-max_streams 128',
    '-i file:source',
    `-filter_complex [0:0]fps=24000/1001,split=2[s0][s1];[s0]${scale('640:360')}[v0];[s1]${scale('854:480')}[v1]`,
    '-filter_complex [0:1]aresample=48000:async=1,aformat=channel_layouts=stereo,apad=whole_dur=8000ms[a]',
    ...['-map [v0]', '-map [v1]', '-map [a]', '-map_metadata -1', '-map_chapters -1'],
    ...['-c:v libx264', '-preset veryfast', '-profile:v main', '-pix_fmt yuv420p', '-threads 2'],
    ...['-sc_threshold 0', '-force_key_frames expr:gte(t,n_forced*6)'],
    '-x264-params nal-hrd=cbr:keyint=infinite:cabac=1',
    ...['-b:v:0 800000', '-minrate:v:0 800000', '-maxrate:v:0 800000', '-bufsize:v:0 1600000'],
    ...['-b:v:1 1400000', '-minrate:v:1 1400000', '-maxrate:v:1 1400000', '-bufsize:v:1 2800000'],
    ...['-c:a aac', '-b:a 128000', '-ar 48000', '-ac 2', '-max_muxing_queue_size 4096', '-t 18'],
    `-f tee ${hls('360p', 0)}|${hls('480p', 1)}`,
  ])
})

test.each(['mov,mp4', 'mpegts'])(
  '[T22] of %s, neither what is read nor the output goes on long after the film',
  (container) => {
    const args = ladderArguments({ ...film, container }, levelsFor(480), encoder)
    const input = args.indexOf('-i')
    for (const part of [args.slice(0, input), args.slice(input)]) expect(part.join(' ')).toContain('-t 18 ')
  },
)

test('[T7] a silent track, or sound that is padded to the length of the picture', () => {
  expect(graphOf({ ...film, audio: null })).toContain(
    'anullsrc=sample_rate=48000:channel_layout=stereo:duration=8000ms',
  )
  expect(graphOf(film)).toContain('apad=whole_dur=8000ms')
})

test('[T7] sound that begins late begins with silence', () => {
  expect(graphOf({ ...film, audio: { index: 1, beginsLate: true, durationMs: 8_000 } })).toContain(
    'first_pts=0',
  )
})

test('[T7] the last picture stays until the sound ends', () => {
  expect(graphOf({ ...film, audio: { index: 1, beginsLate: false, durationMs: 20_000 } })).toContain(
    'stop_duration=12000ms',
  )
  expect(graphOf({ ...film, audio: { index: 1, beginsLate: false, durationMs: 8_200 } })).not.toContain(
    'tpad',
  )
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

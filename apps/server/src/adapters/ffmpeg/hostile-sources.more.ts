import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { UnusableSource } from '../../ports/transcoder.ts'
import { findProgram } from './programs/tools.ts'
import {
  nestedBoxes,
  padding,
  withPicturesElsewhere,
  withSampleRate,
  withTracks,
} from './test/hostile-videos.ts'
import { h264, makeVideo } from './test/make-video.ts'
import { openTranscodeWorld, type TranscodeWorld } from './test/transcode-world.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 900_000 })

let world: TranscodeWorld
let video: Buffer
beforeAll(async () => {
  world = await openTranscodeWorld()
  video = await makeVideo(world.folder, 'film.mov', { seconds: 1 })
})
afterAll(() => world.close())
afterEach(async () => {
  expect(await world.leftovers()).toEqual([])
})

async function refusalOf(bytes: Buffer): Promise<string> {
  const { storageKey } = await world.upload(bytes)
  const error = await world.probe(storageKey).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnusableSource)
  return error instanceof Error ? error.message : ''
}

const text = (lines: string) => Buffer.from(lines)
const mp4Head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1')
const playlist = '#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'

test.each<[string, Buffer, string]>([
  ['an SDP', text('v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n'), 'cannot be read'],
  ['a playlist in UTF-16', Buffer.from(playlist, 'utf16le'), 'cannot be read'],
  ['a playlist behind the head of an MP4', Buffer.concat([mp4Head, text(playlist)]), 'incomplete'],
  ['a data address', text('data:video/mp4;base64,AAAA'), 'cannot be read'],
  ['a part of another file', text('subfile,,start,0,end,100,,:/etc/passwd'), 'cannot be read'],
  ['an encrypted address', text('crypto:file:///etc/passwd'), 'cannot be read'],
  ['a filter graph', text('movie=/etc/passwd'), 'cannot be read'],
  ['a pattern of pictures', text('picture-%03d.png'), 'cannot be read'],
  ['20,000 boxes within each other', nestedBoxes(20_000), 'incomplete'],
])('[T4] %s is refused', async (_, bytes, sentence) => {
  const refusal = await refusalOf(bytes)
  expect(refusal).toContain(sentence)
  expect(refusal).not.toMatch(/\/|source|job/)
})

test('[T4] a video that refers to another file for its pictures is read from its own bytes', async () => {
  const { storageKey } = await world.upload(withPicturesElsewhere(video, 'file:///etc/passwd'))
  expect(await world.probe(storageKey)).toMatchObject({ width: 64, height: 36 })
})

test('[T3] a video with more streams than any video has is refused before they are decoded', async () => {
  expect(await refusalOf(withTracks(video, 150))).toContain('incomplete')
  const { storageKey } = await world.upload(withTracks(video, 3))
  expect(await world.probe(storageKey)).toMatchObject({ width: 64, height: 36 })
})

test('[T3] sound with an impossible sample rate is refused', async () => {
  const avi = await makeVideo(world.folder, 'sound.avi', { seconds: 1, sound: ['-c:a', 'pcm_s16le'] })
  expect(await refusalOf(withSampleRate(avi, 400_000_000))).toContain('sample rate')
})

test('[T3] a video of more than twelve hours is refused, also if it is large enough for them', async () => {
  const hourly = ['-vf', "setpts='N*3600/TB'", '-vsync', 'vfr', '-frames:v', '14', ...h264]
  const long = await makeVideo(world.folder, 'long.mp4', { picture: hourly })
  expect(await refusalOf(Buffer.concat([long, padding(8_000_000)]))).toContain(
    'Please upload it in parts of at most 12 hours.',
  )
})

test('[T15] a video that takes more processor time than its length allows is refused, and leaves nothing', async () => {
  const real = await findProgram('ffmpeg', process.env.PATH ?? '')
  const ffmpegPath = join(world.folder, 'impatient-ffmpeg')
  // For a video of 20 s and what may follow it, an hour: no test has time for that.
  const script = `#!/bin/sh\ncase "$*:$(ulimit -S -t)" in *tee*:3600) ulimit -S -t 1;; esac\nexec ${real} "$@"\n`
  await writeFile(ffmpegPath, script, { mode: 0o755 })
  const impatient = await openTranscodeWorld({ ffmpegPath, encoder: { preset: 'veryslow', threads: 2 } })
  const long = ['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=60:d=20', ...h264, '-y']
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...long, join(impatient.folder, 'long.mp4')])
  const uploaded = await impatient.upload(await readFile(join(impatient.folder, 'long.mp4')))
  await expect(impatient.transcode(uploaded)).rejects.toThrow('takes far more work than others of its length')
  expect(await impatient.keysOf(uploaded.videoId)).toEqual([])
  expect(await impatient.leftovers()).toEqual([])
  impatient.close()
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTinyVideo } from '@atrium/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { UnusableSource } from '../../ports/transcoder.ts'
import { findProgram } from './programs/tools.ts'
import { openTranscodeWorld, type TranscodeWorld } from './test/transcode-world.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 900_000 })

let world: TranscodeWorld
/** Eight seconds, with the header at the beginning. */
let whole: Buffer
beforeAll(async () => {
  world = await openTranscodeWorld()
  const video = { width: 320, height: 180, seconds: 8, headerFirst: true }
  whole = await readFile(await makeTinyVideo(world.folder, 'film', video))
})
afterAll(() => world.close())
afterEach(async () => {
  expect(await world.leftovers()).toEqual([])
})

const installed = async (name: string) => (await findProgram(name, process.env.PATH ?? '')) ?? name

async function ffmpeg(args: string[]): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
}

async function refusalOf(bytes: Buffer): Promise<string> {
  const { storageKey } = await world.upload(bytes)
  const error = await world.probe(storageKey).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnusableSource)
  return error instanceof Error ? error.message : ''
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const random = Buffer.from(
  Array.from({ length: 4_096 }, (_, index) => (index * index * 31 + index * 7) % 251),
)

describe('[T3] files that are no video', () => {
  test.each([
    ['empty', Buffer.alloc(0), 'This file is empty.'],
    ['a picture named .mp4', png, 'This file is a picture'],
    ['a web page', Buffer.from('<!DOCTYPE html><p>Not found'), 'a document'],
    ['random bytes', random, 'cannot be read as a video'],
    ['an MP3', Buffer.concat([Buffer.from('ID3'), random]), 'sound but no picture'],
  ])('%s', async (_, bytes, sentence) => {
    expect(await refusalOf(bytes)).toContain(sentence)
  })

  test('sound alone in an MP4', async () => {
    const path = join(world.folder, 'sound.mp4')
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', path])
    expect(await refusalOf(await readFile(path))).toContain('sound but no picture')
  })

  test('truncated, with the header at its end, which is missing', async () => {
    const path = await makeTinyVideo(world.folder, 'header-last', { width: 64, height: 36, seconds: 2 })
    const bytes = await readFile(path)
    expect(await refusalOf(bytes.subarray(0, bytes.length - 500))).toContain('incomplete')
  })

  test('truncated, with the whole header at its beginning', async () => {
    expect(await refusalOf(whole.subarray(0, whole.length / 2))).toContain('incomplete')
  })

  test('truncated Matroska, which only the length of the output tells', async () => {
    const video = { width: 64, height: 36, seconds: 8, container: 'mkv' as const }
    const bytes = await readFile(await makeTinyVideo(world.folder, 'film.mkv', video))
    const uploaded = await world.upload(bytes.subarray(0, bytes.length / 2))
    await expect(world.transcode(uploaded)).rejects.toThrow('incomplete')
    expect(await world.keysOf(uploaded.videoId)).toEqual([])
  })

  test('a header without frames', async () => {
    const header = whole.subarray(0, whole.indexOf('mdat') - 4)
    expect(await refusalOf(Buffer.concat([header, Buffer.from('\0\0\0\x08mdat', 'latin1')]))).toMatch(
      /No picture in this file can be decoded/,
    )
  })

  test('frames of zeros', async () => {
    const start = whole.indexOf('mdat') + 4
    const zeros = Buffer.concat([whole.subarray(0, start), Buffer.alloc(whole.length - start)])
    expect(await refusalOf(zeros)).toContain('No picture in this file can be decoded')
  })
})

describe('[T3] [T4] hostile files', () => {
  test.each([
    ['a playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a playlist behind blanks', '\n\n #EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1/\n'],
    ['ffconcat', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['a DASH manifest', '<?xml version="1.0"?><MPD><Period/></MPD>'],
  ])('%s in disguise is refused by its first bytes', async (_, text) => {
    expect(await refusalOf(Buffer.from(text))).toContain('only lists other files')
  })

  test('a playlist that our own check does not recognise is not opened by ffprobe either', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const subtitles = `WEBVTT\n\n#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:${port}/a.ts\n`
    expect(await refusalOf(Buffer.from(subtitles))).toContain('cannot be read as a video')
    expect(requests).toBe(0)
    server.close()
  })

  test('a picture bomb', async () => {
    const path = join(world.folder, 'bomb.mkv')
    const black = ['-f', 'lavfi', '-i', 'color=s=16384x4096:r=1', '-frames:v', '1']
    await ffmpeg([...black, '-c:v', 'mjpeg', '-f', 'matroska', path])
    expect(await refusalOf(await readFile(path))).toContain('too large to be transcoded')
  })

  test('a header of 24 hours before a few frames', async () => {
    const path = join(world.folder, 'day.mp4')
    const slow = ['-vf', "setpts='N*43200/TB'", '-vsync', 'vfr', '-frames:v', '3', '-r', '1']
    await ffmpeg(['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=1', ...slow, '-c:v', 'libx264', path])
    expect(await refusalOf(await readFile(path))).toMatch(/says that it is \d+ hours long/)
  })

  test('an original that is no longer stored', async () => {
    await expect(world.probe('videos/v0/original/gone.mp4')).rejects.toThrow('no longer stored')
  })
})

test('[T1] without ffmpeg there is a reason, and it goes away when ffmpeg is there', async () => {
  const paths = { ffmpegPath: join(world.folder, 'ffmpeg'), ffprobePath: join(world.folder, 'ffprobe') }
  const bare = await openTranscodeWorld(paths)
  const { storageKey } = await bare.upload(whole)
  expect(await bare.runner.missing()).toContain('FFMPEG_PATH')
  await expect(bare.probe(storageKey)).rejects.toThrow('FFMPEG_PATH')
  await symlink(await installed('ffmpeg'), paths.ffmpegPath)
  await symlink(await installed('ffprobe'), paths.ffprobePath)
  expect(await bare.runner.missing()).toBeUndefined()
  expect(await bare.probe(storageKey)).toMatchObject({ width: 320, height: 180 })
  bare.close()

  const nowhere = await openTranscodeWorld({ searchPath: '/nowhere' })
  expect(await nowhere.runner.missing()).toContain('ffmpeg is not installed on this server')
  nowhere.close()
})

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@atrium/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { UnusableSource } from '../../ports/transcoder.ts'
import { TranscodeFailed } from './failures.ts'
import { expectContractOutput } from './test/expect-output.ts'
import { testAllLevels, testShapes, usualShapes } from './test/output-tests.ts'
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

describe('the output', () => {
  // Few pictures a second, because 1080p takes long; runner.long.ts has as many as a camera.
  testAllLevels(() => world, { rate: '10/1', frames: 70 })

  test('[T6] [T7] a small video without sound has the lowest level, a silent track, and keeps 23.976 frames a second', async () => {
    const video = await world.uploadTiny({
      width: 426,
      height: 240,
      seconds: 7,
      rate: '24000/1001',
      hasAudio: false,
    })
    const { source } = await world.transcode(video)
    expect(source).toMatchObject({ width: 426, height: 240, hasAudio: false })
    await expectContractOutput(world, video.videoId, { levels: ['360p'], rate: '24000/1001', frames: 168 })
  })

  testShapes(() => world, usualShapes)

  test('[T6] a variable frame rate becomes a constant one that has room for every frame', async () => {
    const video = await world.uploadTiny({
      width: 320,
      height: 180,
      seconds: 3,
      rate: '30',
      hasVariableRate: true,
    })
    await world.transcode(video)
    await expectContractOutput(world, video.videoId, { levels: ['360p'], rate: '30/1', frames: 90 })
  })
})

test('[T21] of a large video only the edges are read, and all of it before it is refused', async () => {
  const video = await world.uploadTiny({ width: 64, height: 36, seconds: 1, headerFirst: true })
  const bytes = world.objects.contents.get(video.storageKey)?.bytes ?? Buffer.alloc(0)
  const filler = Buffer.alloc(70 * 2 ** 20)
  filler.writeUInt32BE(filler.length)
  filler.write('free', 4)
  const ranges: unknown[] = []
  const open = world.objects.open
  world.objects.open = (key, range) => {
    ranges.push(range)
    return open(key, range)
  }
  const large = await world.upload(Buffer.concat([bytes, filler]))
  expect(await world.probe(large.storageKey)).toMatchObject({ width: 64, height: 36 })
  expect(ranges).toEqual([
    { first: 0, last: 16 * 2 ** 20 - 1 },
    { first: bytes.length + filler.length - 32 * 2 ** 20 },
  ])
  const useless = await world.upload(filler)
  await expect(world.probe(useless.storageKey)).rejects.toThrow(UnusableSource)
  expect(ranges.at(-1)).toBeUndefined()
  world.objects.open = open
  for (const { storageKey } of [large, useless]) world.objects.contents.delete(storageKey)
})

describe('the life of a job', () => {
  test('[T13] a first run that cannot store everything leaves nothing; a later one leaves the earlier video', async () => {
    const video = await world.uploadTiny({ width: 320, height: 180, seconds: 1 })
    world.objects.beforePut = (key) => {
      if (key.endsWith('master.m3u8')) throw new Error('the store is full')
    }
    await expect(world.transcode(video)).rejects.toThrow('the store is full')
    expect(await world.keysOf(video.videoId)).toEqual([])
    world.objects.beforePut = () => undefined
    await world.transcode(video)
    const keys = await world.keysOf(video.videoId)
    world.objects.beforePut = (key) => {
      if (key.endsWith('.ts')) throw new Error('the store is full')
    }
    await expect(world.transcode(video)).rejects.toThrow('the store is full')
    world.objects.beforePut = () => undefined
    expect((await world.keysOf(video.videoId)).toSorted()).toEqual(keys.toSorted())
  })

  test('[T14] an aborted job ends with the reason, its process is gone, and it leaves nothing', async () => {
    const video = await world.uploadTiny({ width: 640, height: 360, seconds: 30, hasAudio: false })
    const stop = new AbortController()
    const job = world.transcode(video, {
      signal: stop.signal,
      onProgress: (share) => share > 0.1 && stop.abort(new Error('superseded')),
    })
    await expect(job).rejects.toThrow('superseded')
    expect(await world.keysOf(video.videoId)).toEqual([])
    await waitUntil(() => ourPrograms().length === 0 || 'ffmpeg still runs')
  })

  test('[T15] a job in which nothing moves is stopped', async () => {
    const stalling = await openTranscodeWorld({ stallMs: 1 })
    const video = await stalling.upload(Buffer.alloc(1_000, 7))
    await expect(stalling.probe(video.storageKey)).rejects.toThrow('nothing had moved')
    expect(await stalling.leftovers()).toEqual([])
    stalling.close()
  })

  test('[T15] a video that brings its probe to a stop three times is refused, and may be tried again', async () => {
    const ffprobePath = join(world.folder, 'ffprobe-that-hangs')
    const script = '#!/bin/sh\ncase "$*" in *-version*) exit;; esac\nsleep 1000\n'
    await writeFile(ffprobePath, script, { mode: 0o755 })
    const stuck = await openTranscodeWorld({ stallMs: 300, ffprobePath })
    const { storageKey } = await stuck.upload(Buffer.alloc(1_000, 7))
    const probe = () => stuck.probe(storageKey).catch((error: unknown) => error)
    const ends = [await probe()]
    while (ends.at(-1) instanceof TranscodeFailed) ends.push(await probe())
    // More only if the machine is so busy that even the download stood still.
    expect(ends.length).toBeGreaterThanOrEqual(3)
    expect(ends.at(-1)).toBeInstanceOf(UnusableSource)
    expect(await probe()).toBeInstanceOf(TranscodeFailed)
    stuck.close()
  })

  test('[T16] a video for which the disk has no room is not begun', async () => {
    const crowded = await openTranscodeWorld({ freeBytes: async () => 600 * 2 ** 20 })
    const long = await crowded.uploadTiny({
      width: 64,
      height: 36,
      seconds: 3_600,
      rate: '1/4',
      hasAudio: false,
    })
    await expect(crowded.transcode(long)).rejects.toThrow(
      /not enough free disk space .* \(0\.5 GB are needed\)/,
    )
    expect(await crowded.leftovers()).toEqual([])
    crowded.close()
  })

  test('[T16] a download stops when the disk fills up meanwhile', async () => {
    const free = [2 ** 40, 511 * 2 ** 20]
    const filling = await openTranscodeWorld({ freeBytes: async () => free.shift() ?? 0 })
    const { storageKey } = await filling.upload(Buffer.alloc(33 * 2 ** 20))
    await expect(filling.probe(storageKey)).rejects.toThrow('not enough free disk space')
    expect(free).toEqual([])
    expect(await filling.leftovers()).toEqual([])
    filling.close()
  })
})

/** Programs that work in a job's folder of this world, within a sandbox or without. */
function ourPrograms(): string[] {
  const work = join(world.folder, 'work')
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false
      return (
        readlinkSync(`/proc/${pid}/cwd`).startsWith(work) ||
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(work)
      )
    } catch {
      return false // It has just ended.
    }
  })
}

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeTinyVideo } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectContractOutput } from './test/expect-output.ts'
import { openTranscodeWorld, type TranscodeWorld } from './test/transcode-world.ts'
import { withLatePictures, withStreamOfAYear } from './test/wrong-times.ts'

// ffmpeg gives way to everything else, so that on a busy machine a few seconds of CPU can take minutes.
vi.setConfig({ testTimeout: 900_000 })

let world: TranscodeWorld
beforeAll(async () => {
  world = await openTranscodeWorld()
})
afterAll(() => world.close())

/** Stops a job that goes on and on although it has already written the whole length of the film. */
async function transcodeToTheEnd(film: { videoId: string; storageKey: string }): Promise<void> {
  const stop = new AbortController()
  let reports = 0
  let latest = 0
  const onProgress = (share: number) => {
    reports = share === latest ? reports + 1 : 0
    latest = share
    if (reports === 20) stop.abort(new Error('the output does not end with the film'))
  }
  await world.transcode(film, { signal: stop.signal, onProgress })
}

/** Two seconds of a moving picture, and of sound where an encoder for it is given. */
async function makeFilm(name: string, sound: string[]): Promise<Buffer> {
  const path = join(world.folder, name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=25:d=2']
  const tone = sound.length > 0 ? ['-f', 'lavfi', '-i', 'sine=d=2', ...sound] : []
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...tone, ...encoder, path])
  return await readFile(path)
}

test.each([
  ['picture', 0],
  ['sound', 1],
] as const)(
  '[T22] a tag that says that the %s lasts for a year does not lengthen the film',
  async (name, stream) => {
    const video = { width: 64, height: 36, seconds: 2, container: 'mkv' as const }
    const bytes = await readFile(await makeTinyVideo(world.folder, `year-of-${name}`, video))
    const film = await world.upload(withStreamOfAYear(bytes, stream))
    await transcodeToTheEnd(film)
    await expectContractOutput(world, film.videoId, { levels: ['360p'], rate: '25/1', frames: 50 })
  },
)

test('[T3] [T22] a film whose time stamps jump by a day is as long as they say, and refused', async () => {
  const bytes = await makeFilm('film.flv', [])
  const { storageKey } = await world.upload(withLatePictures(bytes, { fromMs: 1_000, laterMs: 86_400_000 }))
  await expect(world.probe(storageKey)).rejects.toThrow('says that it is 24 hours long')
})

test('[T22] recordings that were joined keep all their pictures, although their time stamps begin anew', async () => {
  const part = await makeFilm('film.ts', ['-c:a', 'aac'])
  const film = await world.upload(Buffer.concat(Array.from({ length: 8 }, () => part)))
  const { source } = await world.transcode(film)
  expect(source.durationMs).toBeGreaterThan(15_500)
  expect(source.durationMs).toBeLessThan(17_000)
  const [level] = await expectContractOutput(world, film.videoId, {
    levels: ['360p'],
    rate: '25/1',
    frames: 400,
  })
  expect(level?.seconds).toHaveLength(3)
})

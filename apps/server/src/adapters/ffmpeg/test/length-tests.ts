import { readFile } from 'node:fs/promises'
import { makeTinyVideo } from '@atrium/testkit'
import { test } from 'vitest'
import { expectContractOutput } from './expect-output.ts'
import { h264, type MadeVideo, makeVideo } from './make-video.ts'
import type { TranscodeWorld } from './transcode-world.ts'
import { withStreamOfAYear } from './wrong-times.ts'

const streams = { picture: 0, sound: 1 } as const

export function testStreamOfAYear(open: () => TranscodeWorld, name: keyof typeof streams): void {
  test(`[T22] a tag that says that the ${name} lasts for a year does not lengthen the video`, async () => {
    const world = open()
    const video = { width: 64, height: 36, seconds: 2, container: 'mkv' as const }
    const bytes = await readFile(await makeTinyVideo(world.folder, `year-of-${name}`, video))
    const uploaded = await world.upload(withStreamOfAYear(bytes, streams[name]))
    await transcodeToTheEnd(world, uploaded)
    await expectContractOutput(world, uploaded.videoId, { levels: ['360p'], rate: '25/1', frames: 50 })
  })
}

/** Stops a job that goes on and on although it has already written the whole length of the video. */
async function transcodeToTheEnd(
  world: TranscodeWorld,
  uploaded: { videoId: string; storageKey: string },
): Promise<void> {
  const stop = new AbortController()
  let reports = 0
  let latest = 0
  const onProgress = (share: number) => {
    reports = share === latest ? reports + 1 : 0
    latest = share
    if (reports === 20) stop.abort(new Error('the output does not end with the video'))
  }
  await world.transcode(uploaded, { signal: stop.signal, onProgress })
}

const lateVideos: Record<'the picture' | 'the sound', { made: MadeVideo; frames: number }> = {
  'the picture': {
    made: { picture: ['-vf', 'setpts=PTS+1/TB', ...h264], sound: ['-c:a', 'aac'] },
    frames: 75,
  },
  'the sound': { made: { sound: ['-af', 'asetpts=PTS+0.5/TB', '-c:a', 'aac'] }, frames: 63 },
}

export function testLateBeginning(open: () => TranscodeWorld, name: keyof typeof lateVideos): void {
  test(`[T7] if ${name} begins late, both begin at 0 nevertheless`, async () => {
    const world = open()
    const { made, frames } = lateVideos[name]
    const uploaded = await world.upload(await makeVideo(world.folder, `late ${name}.mkv`, made))
    await world.transcode(uploaded)
    await expectContractOutput(world, uploaded.videoId, { levels: ['360p'], rate: '25/1', frames })
  })
}

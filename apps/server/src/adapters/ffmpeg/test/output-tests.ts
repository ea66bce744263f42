import { objectKeys, qualityLevels } from '@atrium/contract'
import type { TinyVideo } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { type ExpectedOutput, expectContractOutput } from './expect-output.ts'
import type { TranscodeWorld } from './transcode-world.ts'

/** A video of seven seconds with that many pictures. */
export function testAllLevels(
  open: () => TranscodeWorld,
  { rate, frames }: Pick<ExpectedOutput, 'rate' | 'frames'>,
): void {
  test('[T8] [T9] [T10] [T11] a 1080p video has all levels, as the contract says, and the master comes last', async () => {
    const world = open()
    const uploaded = await world.uploadTiny({ width: 1920, height: 1080, seconds: 7, rate })
    const progress: number[] = []
    const { source, groups } = await world.transcode(uploaded, {
      onProgress: (share) => progress.push(share),
    })
    expect(source).toMatchObject({ width: 1920, height: 1080, hasAudio: true })
    const levels = await expectContractOutput(world, uploaded.videoId, {
      levels: ['360p', '480p', '720p', '1080p'],
      rate,
      frames,
    })
    expect(levels.map(({ seconds }) => seconds.length)).toEqual([2, 2, 2, 2])

    const keys = [...world.objects.contents.keys()].filter((key) =>
      key.startsWith(objectKeys.hlsPrefix(uploaded.videoId)),
    )
    expect(keys.at(-1)).toBe(objectKeys.manifest(uploaded.videoId))
    expect(keys).toContain(`videos/${uploaded.videoId}/hls/master_360p_00001.ts`)
    expect(keys).toContain(objectKeys.poster(uploaded.videoId))
    expect(world.objects.contents.get(objectKeys.poster(uploaded.videoId))).toMatchObject({
      contentType: 'image/jpeg',
    })

    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(groups).toMatchObject([
      {
        type: 'HLS_GROUP',
        playlistFilePaths: [`s3://films/${objectKeys.manifest(uploaded.videoId)}`],
        outputDetails: qualityLevels.map(({ width, height }) => ({
          durationInMs: expect.closeTo(7_007, -2),
          videoDetails: { widthInPx: width, heightInPx: height },
        })),
      },
    ])
  })
}

interface Shape {
  name: string
  video: Omit<TinyVideo, 'seconds'>
  /** As people see it. */
  shown: { width: number; height: number }
  levels: ExpectedOutput['levels']
}

const small = { width: 320, height: 180 }

export const usualShapes: Shape[] = [
  {
    name: 'rotated by its header',
    video: { width: 480, height: 270, rotation: 90 },
    shown: { width: 270, height: 480 },
    levels: ['360p', '480p'],
  },
  {
    name: 'as a browser records it, without a duration',
    video: { ...small, container: 'webm' },
    shown: small,
    levels: ['360p'],
  },
]

export const rarerShapes: Shape[] = [
  {
    name: 'anamorphic',
    video: { width: 360, height: 288, pixelAspect: '64/45' },
    shown: { width: 512, height: 288 },
    levels: ['360p'],
  },
  {
    name: 'portrait: levels by its height, padded at the sides',
    video: { width: 270, height: 480 },
    shown: { width: 270, height: 480 },
    levels: ['360p', '480p'],
  },
  {
    name: '10 bits',
    video: { ...small, pixelFormat: 'yuv420p10le' },
    shown: small,
    levels: ['360p'],
  },
  {
    name: '4:4:4 in Matroska',
    video: { ...small, pixelFormat: 'yuv444p', container: 'mkv' },
    shown: small,
    levels: ['360p'],
  },
]

export function testShapes(open: () => TranscodeWorld, shapes: Shape[]): void {
  test.each(shapes)('[T5] $name', async ({ video, shown, levels }) => {
    const world = open()
    const uploaded = await world.uploadTiny({ ...video, seconds: 2 })
    const { source } = await world.transcode(uploaded)
    expect(source).toMatchObject(shown)
    expect(source.durationMs).toBeGreaterThan(1_900)
    expect(source.durationMs).toBeLessThan(2_300)
    await expectContractOutput(world, uploaded.videoId, { levels, rate: '25/1', frames: 50 })
  })
}

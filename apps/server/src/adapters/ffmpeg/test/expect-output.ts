import { type LevelName, qualityLevels } from '@atrium/contract'
import { expect } from 'vitest'
import { readOutput, type SeenLevel } from './check-output.ts'
import type { TranscodeWorld } from './transcode-world.ts'

export interface ExpectedOutput {
  levels: readonly LevelName[]
  /** As ffprobe writes it. */
  rate: string
  frames: number
}

/** Confirms every line of the contract's table about the output, and returns what was seen. */
export async function expectContractOutput(
  { objects, folder }: TranscodeWorld,
  videoId: string,
  { levels, rate, frames }: ExpectedOutput,
): Promise<SeenLevel[]> {
  const seen = await readOutput(objects, videoId, folder)
  expect(seen.map(({ uri }) => uri)).toEqual(levels.map((name) => `master_${name}.m3u8`))
  const [over = 0, under = 1] = rate.split('/').map(Number)
  for (const [index, level] of seen.entries()) {
    const { width, height, bitsPerSecond } = qualityLevels[index] ?? { width: 0, height: 0, bitsPerSecond: 0 }
    expect(level).toMatchObject({
      size: `${width}x${height}`,
      codecs: expect.stringMatching(/^avc1\.4d40[0-9a-f]{2},mp4a\.40\.2$/),
      frameRate: Number((over / under).toFixed(3)),
      video: { codec_name: 'h264', profile: 'Main', pix_fmt: 'yuv420p', size: `${width}x${height}`, rate },
      audio: { codec_name: 'aac', profile: 'LC', sample_rate: '48000', channels: 2 },
    })
    expect(level.video.aspect).toBe('1:1')
    expect(Math.abs(level.frames - frames)).toBeLessThanOrEqual(1)
    expectSegments(level, under / over)
    expectSound(level)
    expectBandwidth(level, bitsPerSecond)
    // The same pictures begin the segments of all levels.
    expect(level.keyFramesAt).toEqual(seen[0]?.keyFramesAt)
  }
  return seen
}

/** Six seconds each but the last, each beginning with its only key frame. */
function expectSegments({ seconds, keyFramesAt }: SeenLevel, frameSeconds: number): void {
  for (const length of seconds.slice(0, -1))
    expect(Math.abs(length - 6)).toBeLessThanOrEqual(frameSeconds + 1e-3)
  expect(seconds.at(-1)).toBeLessThanOrEqual(6 + frameSeconds)
  for (const [index, times] of keyFramesAt.entries()) {
    expect(times).toHaveLength(1)
    const late = (times[0] ?? -1) - index * 6
    expect(late).toBeGreaterThanOrEqual(-1e-3)
    expect(late).toBeLessThan(frameSeconds)
  }
}

/** From the beginning to the end of the pictures or shortly after, without holes, and nothing twice. */
function expectSound({ soundAt, seconds }: SeenLevel): void {
  const frameSeconds = 1_024 / 48_000
  const total = seconds.reduce((sum, length) => sum + length, 0)
  expect(Math.abs(soundAt[0] ?? 1)).toBeLessThan(0.1)
  expect(soundAt.at(-1)).toBeGreaterThan(total - 0.1)
  expect(soundAt.at(-1)).toBeLessThan(total + 0.6)
  const steps = soundAt.slice(1).map((at, index) => at - (soundAt[index] ?? 0))
  expect(Math.max(...steps)).toBeLessThan(frameSeconds * 4)
  // Where videos were joined, a frame may overlap the one before.
  expect(steps.filter((step) => step < frameSeconds / 2).length).toBeLessThanOrEqual(2)
}

/** What is declared is what a player must load, and the pictures keep to their constant bit rate. */
function expectBandwidth(level: SeenLevel, target: number): void {
  const total = level.seconds.reduce((sum, length) => sum + length, 0)
  for (const [index, length] of level.seconds.entries())
    if (length >= 3)
      expect(level.bandwidth).toBeGreaterThanOrEqual(Math.floor(level.bitsPerSecond[index] ?? 0))
  expect(level.averageBandwidth).toBeLessThanOrEqual(level.bandwidth)
  expect(level.bandwidth).toBeLessThan(target * 1.6 + 200_000)
  // A short video gains or loses what the buffer holds, which is two seconds.
  const tolerance = 0.1 + 1 / total
  expect(level.videoBitsPerSecond / target).toBeGreaterThan(1 - tolerance)
  expect(level.videoBitsPerSecond / target).toBeLessThan(1 + tolerance)
}

import { execFile } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { levelsFor } from '@atrium/contract'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { sourceName, untrusted } from '../programs/demuxers.ts'
import { probedFrom } from '../source/probed-video.ts'
import { parseReport, reportArguments } from '../source/report.ts'
import { h264, type MadeVideo, makeVideo } from '../test/make-video.ts'
import { ladderArguments } from './ladder-command.ts'

const temporary = createTemporaryFolder('ladder')
afterAll(() => temporary.remove())

const run = (program: string, args: string[], cwd: string) =>
  promisify(execFile)(program, args, { cwd, encoding: 'buffer', maxBuffer: 2 ** 26 })

/** Makes a video and its lowest level, and nothing else of a job. Returns the folder with both. */
async function encoded(name: string, made: MadeVideo): Promise<string> {
  const folder = join(temporary.path, name)
  await mkdir(folder)
  await makeVideo(folder, name, made)
  await rename(join(folder, name), join(folder, sourceName))
  const { stdout } = await run('ffprobe', [...reportArguments, ...untrusted(sourceName)], folder)
  const report = parseReport(stdout.toString())
  const probed = report && probedFrom(report)
  if (!probed || probed.durationMs === null) throw new Error('the video does not say how long it is')
  const { durationMs } = probed
  const settings = { preset: 'ultrafast', threads: 1 }
  await run('ffmpeg', ladderArguments({ ...probed, durationMs }, levelsFor(360), settings), folder)
  return folder
}

const segment = 'master_360p_00001.ts'

/** How many pictures there are, and when the frames of sound are heard after the first of them, in seconds. */
async function packetsOf(folder: string) {
  const args = ['-v', 'error', '-of', 'json', '-show_entries', 'packet=codec_type,pts_time', segment]
  const { stdout } = await run('ffprobe', args, folder)
  const { packets } = JSON.parse(stdout.toString()) as { packets: { codec_type: string; pts_time: string }[] }
  const timesOf = (type: string) =>
    packets.filter(({ codec_type }) => codec_type === type).map(({ pts_time }) => Number(pts_time))
  const [pictures, sound] = [timesOf('video'), timesOf('audio')]
  const firstAt = Math.min(...pictures)
  return { pictures: pictures.length, soundAt: sound.map((at) => at - firstAt) }
}

const [width, height] = [32, 18]

/** Each picture in shades of grey, small. */
async function picturesIn(folder: string): Promise<Buffer[]> {
  const scaled = ['-vf', `scale=${width}:${height},format=gray`, '-f', 'rawvideo', '-']
  const { stdout } = await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', segment, ...scaled], folder)
  const bytes = width * height
  return Array.from({ length: stdout.length / bytes }, (_, index) =>
    stdout.subarray(index * bytes, (index + 1) * bytes),
  )
}

const meanDifference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, shade, at) => sum + Math.abs(shade - (other[at] ?? 0)), 0) / one.length

/** How many pictures consist of two fields from different moments. */
async function interlacedIn(folder: string, file: string): Promise<number> {
  const { stderr } = await run('ffmpeg', ['-nostdin', '-i', file, '-vf', 'idet', '-f', 'null', '-'], folder)
  const [, top, bottom] =
    /Single frame detection: TFF:\s*(\d+) BFF:\s*(\d+)/.exec(stderr.toString('latin1')) ?? []
  return Number(top) + Number(bottom)
}

const aac = ['-c:a', 'aac']

test('[T7] sound that begins late begins with silence', async () => {
  const folder = await encoded('late-sound.mkv', { seconds: 1, sound: ['-af', 'asetpts=PTS+0.5/TB', ...aac] })
  const { soundAt } = await packetsOf(folder)
  expect(Math.abs(soundAt[0] ?? 1)).toBeLessThan(0.1)
})

test('[T7] sound that ends early ends with silence, as long as the picture lasts', async () => {
  const folder = await encoded('short-sound.mkv', { seconds: 2, sound: ['-af', 'atrim=end=1', ...aac] })
  const { soundAt } = await packetsOf(folder)
  expect(soundAt.at(-1)).toBeGreaterThan(1.9)
})

test('[T7] the last picture stays until the sound ends', async () => {
  const made = { seconds: 2, picture: ['-vf', 'trim=end=1', ...h264], sound: aac }
  const pictures = await picturesIn(await encoded('long-sound.mkv', made))
  expect(pictures.length).toBeGreaterThanOrEqual(49)
  const last = pictures[24] ?? Buffer.alloc(0)
  for (const still of pictures.slice(25)) expect(meanDifference(still, last)).toBeLessThan(4)
  expect(meanDifference(pictures[0] ?? last, last)).toBeGreaterThan(4)
})

test('[T7] sound that only rings out adds no pictures', async () => {
  const made = { seconds: 1.3, picture: ['-vf', 'trim=end=1', ...h264], sound: aac }
  const { pictures } = await packetsOf(await encoded('ringing-out.mkv', made))
  // Of the 25, give or take one that a container rounds. With the sound there would be 32.
  expect(pictures).toBeGreaterThanOrEqual(24)
  expect(pictures).toBeLessThanOrEqual(26)
})

test('[T5] interlaced pictures are deinterlaced', async () => {
  const fields = ['-vf', 'tinterlace=interleave_top', '-flags', '+ildct+ilme', '-x264opts', 'tff=1']
  // As large as the level, because fields do not survive scaling. Two pictures become the fields of one.
  const made = { size: '640x360', rate: 50, seconds: 1, picture: [...fields, ...h264] }
  const folder = await encoded('fields.mp4', made)
  expect(await interlacedIn(folder, sourceName)).toBe(25)
  expect(await interlacedIn(folder, segment)).toBeLessThanOrEqual(5)
})

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from './program.ts'

export interface TinyVideo {
  width: number
  height: number
  seconds: number
  /** `25` or `24000/1001`. */
  rate?: string
  hasAudio?: boolean
  /** Degrees by which a player turns the picture. */
  rotation?: 90 | 180 | 270
  /** Width of a pixel by its height, `64/45`. */
  pixelAspect?: string
  pixelFormat?: 'yuv420p' | 'yuv444p' | 'yuv420p10le'
  /** Every third frame is missing, so that frames last differently. */
  hasVariableRate?: boolean
  /** The header, with the index, comes before the pictures. */
  headerFirst?: boolean
  /** Movement and grain at 8 Mbit/s, which take as long to decode as those of a camera. */
  isLifelike?: boolean
  /** Black until then. */
  blackSeconds?: number
  container?: 'mp4' | 'mkv' | 'webm'
}

const containerOptions = {
  mp4: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-f', 'mp4'],
  mkv: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-f', 'matroska'],
  // As a browser records: without a duration in the header.
  webm: [
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    '-f',
    'webm',
    '-live',
    '1',
  ],
}

/** Makes a video of a moving test picture and a tone, and returns its path. Takes about a second for a few seconds of video. */
export async function makeTinyVideo(folder: string, name: string, video: TinyVideo): Promise<string> {
  const { width, height, seconds, rate = '25', hasAudio = true, container = 'mp4' } = video
  const path = join(folder, name)
  const picture = [
    '-f',
    'lavfi',
    '-i',
    `${video.isLifelike ? 'testsrc2' : 'testsrc'}=size=${width}x${height}:rate=${rate}:duration=${seconds}`,
  ]
  const tone = hasAudio
    ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`]
    : []
  const filters = [
    ...(video.isLifelike ? ['noise=alls=6:allf=t'] : []),
    ...(video.pixelAspect ? [`setsar=${video.pixelAspect}`] : []),
    ...(video.blackSeconds ? [`drawbox=c=black:t=fill:enable='lt(t,${video.blackSeconds})'`] : []),
    ...(video.hasVariableRate ? ["select='mod(n,3)'"] : []),
    `format=${video.pixelFormat ?? 'yuv420p'}`,
  ]
  await ffmpeg([
    ...[...picture, ...tone, '-vf', filters.join(',')],
    ...(video.hasVariableRate ? ['-vsync', 'vfr'] : []),
    ...(video.headerFirst ? ['-movflags', '+faststart'] : []),
    ...containerOptions[container],
    ...(video.isLifelike ? ['-preset', 'veryfast', '-b:v', '8M'] : []),
    path,
  ])
  if (video.rotation) await turn(path, video.rotation)
  return path
}

/** Matrices of a track's header, in 16.16 fixed point; the last column is in 2.30. */
const turned: Record<number, number[]> = {
  90: [0, 1, 0, -1, 0, 0, 0, 0, 16_384],
  180: [-1, 0, 0, 0, -1, 0, 0, 0, 16_384],
  270: [0, -1, 0, 1, 0, 0, 0, 0, 16_384],
}
/** From the name of the box to its matrix. */
const matrixAt = 44

/** Written into the header of the first track, because versions of ffmpeg have different options for it. */
async function turn(path: string, degrees: number): Promise<void> {
  const bytes = await readFile(path)
  const header = bytes.indexOf('tkhd')
  turned[degrees]?.forEach((value, index) => {
    bytes.writeInt32BE(value * 65_536, header + matrixAt + index * 4)
  })
  await writeFile(path, bytes)
}

async function ffmpeg(args: string[]): Promise<void> {
  await promisify(execFile)(findProgram('ffmpeg'), ['-nostdin', '-v', 'error', '-y', ...args])
}

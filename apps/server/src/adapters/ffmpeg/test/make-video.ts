import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface MadeVideo {
  size?: string
  /** Pictures a second, before its encoder's options. */
  rate?: number
  seconds?: number
  /** Options of its encoder; unset = a video without sound. */
  sound?: string[]
  /** Options of its encoder; unset = H.264. */
  picture?: string[]
}

const ffmpeg = (...args: string[]) =>
  promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** A moving picture and a tone, in the container that the name says. */
export async function makeVideo(folder: string, name: string, video: MadeVideo): Promise<Buffer> {
  const { size = '64x36', rate = 25, seconds = 2, sound, picture = h264 } = video
  const path = join(folder, name)
  const pictures = ['-f', 'lavfi', '-i', `testsrc=s=${size}:r=${rate}:d=${seconds}`]
  const tone = sound ? ['-f', 'lavfi', '-i', `sine=d=${seconds}`, ...sound] : []
  await ffmpeg(...pictures, ...tone, ...picture, path)
  return await readFile(path)
}

/** Videos that were made before, one after the other in one container, each as it is. */
export async function joinVideos(folder: string, name: string, parts: string[]): Promise<Buffer> {
  const [list, path] = [join(folder, `${name}.txt`), join(folder, name)]
  await writeFile(list, parts.map((part) => `file ${part}\n`).join(''))
  await ffmpeg('-f', 'concat', '-i', list, '-c', 'copy', path)
  return await readFile(path)
}

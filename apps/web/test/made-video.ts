import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const levels = [
  { name: '360p', size: '640x360', bandwidth: 900_000 },
  { name: '480p', size: '854x480', bandwidth: 1_500_000 },
]

/** Makes a video of a few seconds in two qualities, with its poster, as the platform would store it. */
export async function makeVideo(folder: string): Promise<void> {
  const quietly = ['-nostdin', '-loglevel', 'error', '-y']
  const outputs = levels.flatMap(({ name, size }) => [
    ...[
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-s',
      size,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
    ],
    ...['-g', '50', '-c:a', 'aac', '-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod'],
    ...['-hls_segment_filename', join(folder, `master_${name}_%d.ts`), join(folder, `master_${name}.m3u8`)],
  ])
  const sources = ['testsrc2=size=854x480:rate=25', 'sine=frequency=440:sample_rate=48000']
  const inputs = sources.flatMap((source) => ['-f', 'lavfi', '-t', '6', '-i', source])
  await run('ffmpeg', [...quietly, ...inputs, ...outputs])
  await run('ffmpeg', [
    ...quietly,
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360', '-frames:v', '1', join(folder, 'poster.jpg')],
  ])
  const entries = levels.flatMap(({ name, size, bandwidth }) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${size}`,
    `master_${name}.m3u8`,
  ])
  await writeFile(join(folder, 'master.m3u8'), ['#EXTM3U', ...entries, ''].join('\n'))
}

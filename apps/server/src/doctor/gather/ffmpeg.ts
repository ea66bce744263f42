import { tmpdir } from 'node:os'
import { runProgram } from '../../adapters/ffmpeg/programs/run-program.ts'
import { findProgram, runnable } from '../../adapters/ffmpeg/programs/tools.ts'
import type { Config } from '../../config/config.ts'
import type { FfmpegFacts } from '../judge/ffmpeg.ts'

const neededEncoders = ['libx264', 'aac']

export async function gatherFfmpeg(
  config: Config,
  searchPath: string,
  signal: AbortSignal,
): Promise<FfmpegFacts> {
  const reason = notNeeded(config)
  if (reason !== undefined) return { ...nothing, notNeeded: reason }
  const { path, probePath } = config.video.ffmpeg
  const find = (name: string, given: string | undefined) =>
    given === undefined ? findProgram(name, searchPath) : runnable(given)
  const [ffmpeg, ffprobe, bwrap] = await Promise.all([
    find('ffmpeg', path),
    find('ffprobe', probePath),
    findProgram('bwrap', searchPath),
  ])
  const run = async (program: string, ...args: string[]): Promise<string | undefined> => {
    const env = { PATH: searchPath, LC_ALL: 'C.UTF-8' }
    const { code, output } = await runProgram([program, ...args], env, { folder: tmpdir(), signal })
    return code === 0 ? output : undefined
  }
  const bannerOf = async (program: string | undefined) =>
    program === undefined ? undefined : { banner: await run(program, '-version').catch(() => undefined) }
  const encoders = await Promise.all(
    (ffmpeg === undefined ? [] : neededEncoders).map(async (name) => {
      const text = await run(ffmpeg ?? '', '-hide_banner', '-h', `encoder=${name}`).catch(() => undefined)
      return [name, text?.includes(`Encoder ${name}`) ?? false] as const
    }),
  )
  return {
    notNeeded: undefined,
    isConfigured: path !== undefined || probePath !== undefined,
    ffmpeg: await bannerOf(ffmpeg),
    ffprobe: await bannerOf(ffprobe),
    encoders: Object.fromEntries(encoders),
    // Installed is not enough: many containers do not permit it.
    hasSandbox:
      bwrap !== undefined &&
      (await run(bwrap, '--unshare-all', '--ro-bind', '/', '/', 'true').catch(() => undefined)) !== undefined,
  }
}

const nothing = {
  isConfigured: false,
  ffmpeg: undefined,
  ffprobe: undefined,
  encoders: {},
  hasSandbox: false,
}

/** The same choices as in video.ts. */
function notNeeded({ video, objectStore, horizontalScaling, redisUrl }: Config): string | undefined {
  if (!objectStore && horizontalScaling) return 'Not needed here: without S3_ENDPOINT there are no videos.'
  if (video.mediaConvert) return 'Not needed here: MediaConvert transcodes.'
  return redisUrl ? 'Not needed here: workers (`npm run work`) transcode.' : undefined
}

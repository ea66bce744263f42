import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, findProgram, startServer } from '@atrium/testkit'
import { createVideoMaker } from './video-maker.ts'

/** What a server says about a video while it has no ffmpeg. */
export const ffmpegIsMissing = 'FFMPEG_PATH of this server names no program that can be run'

/** Small enough to be transcoded soon, and large enough for two levels. */
export const smallVideo = { width: 640, height: 480, seconds: 2, hasAudio: true }

/** A server that transcodes videos itself, as soon as ffmpeg is installed. */
export async function startVideoMachine() {
  const folder = createTemporaryFolder('films')
  const [ffmpeg, ffprobe] = [join(folder.path, 'ffmpeg'), join(folder.path, 'ffprobe')]
  const server = await startServer({ env: { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe } })
  return {
    server,
    folder: folder.path,
    maker: await createVideoMaker(server.http),
    installFfmpeg(): void {
      if (existsSync(ffmpeg)) return
      symlinkSync(findProgram('ffmpeg'), ffmpeg)
      symlinkSync(findProgram('ffprobe'), ffprobe)
    },
    async stop(): Promise<void> {
      await server.stop()
      folder.remove()
    },
  }
}

export type VideoMachine = Awaited<ReturnType<typeof startVideoMachine>>

import { access, constants, realpath, stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { FfmpegMissing } from '../failures.ts'
import { type Confinement, confinements, memoryLimit, type Wrappers } from './confinement.ts'
import { type Ended, type ProgramOptions, runProgram } from './run-program.ts'

/** ffmpeg and ffprobe, confined as well as this machine permits. */
export interface Tools {
  ffmpeg(args: readonly string[], options: ToolOptions): Promise<Ended>
  ffprobe(args: readonly string[], options: ToolOptions): Promise<Ended>
}

interface ToolOptions extends ProgramOptions {
  /** Processor time, after which the program is ended; unset = enough to read any video that we take once. */
  cpuSeconds?: number
}

/** Ten times what we estimate for reading 10 GiB on a slow processor. */
const readingCpuSeconds = 600

export interface ToolsDeps {
  /** FFMPEG_PATH and FFPROBE_PATH; unset = on the search path. */
  ffmpegPath?: string | undefined
  ffprobePath?: string | undefined
  /** PATH */
  searchPath: string
  warn(facts: Record<string, unknown>, message: string): void
}

interface Found {
  ffmpeg: string
  ffprobe: string
  wrappers: Wrappers
}

const checkLimitMs = 60_000

/** Whether the programs are there. Quick enough for a start: it runs neither of them. */
export const areToolsThere = async (deps: ToolsDeps): Promise<void> => void (await findBoth(deps))

/**
 * Looks for the programs every time, so that an installation is noticed without a restart: of ffmpeg, and of what confines
 * it, which may come later. How to confine them here is found out again only when one of them has changed. The function
 * rejects with FfmpegMissing.
 */
export function createToolFinder(deps: ToolsDeps): (folder: string) => Promise<Tools> {
  let known: { found: Found; tools: Tools } | undefined
  return async (folder) => {
    const found = { ...(await findBoth(deps)), wrappers: await findWrappers(deps) }
    if (known === undefined || !isDeepStrictEqual(known.found, found))
      known = { found, tools: await confineBoth(found, folder, deps) }
    return known.tools
  }
}

async function findBoth({
  ffmpegPath,
  ffprobePath,
  searchPath,
}: ToolsDeps): Promise<Omit<Found, 'wrappers'>> {
  const find = async (name: string, key: string, path: string | undefined): Promise<string> => {
    const found = path === undefined ? await findProgram(name, searchPath) : await runnable(path)
    if (found !== undefined) return found
    throw new FfmpegMissing(
      path === undefined
        ? `${name} is not installed on this server, so videos cannot be transcoded yet.`
        : `${key} of this server names no program that can be run, so videos cannot be transcoded yet.`,
    )
  }
  return {
    ffmpeg: await find('ffmpeg', 'FFMPEG_PATH', ffmpegPath),
    ffprobe: await find('ffprobe', 'FFPROBE_PATH', ffprobePath),
  }
}

async function findWrappers({ searchPath }: ToolsDeps): Promise<Wrappers> {
  const [nice, choom, prlimit, bwrap, setpriv] = await Promise.all(
    ['nice', 'choom', 'prlimit', 'bwrap', 'setpriv'].map((name) => findProgram(name, searchPath)),
  )
  return { nice, choom, prlimit, bwrap, setpriv }
}

async function confineBoth(found: Found, folder: string, deps: ToolsDeps): Promise<Tools> {
  const { searchPath, warn } = deps
  // Nothing else of our environment: it holds secrets.
  const env = { PATH: searchPath, LC_ALL: 'C.UTF-8' }
  const confinement = await strictestThatWorks(found, folder, env)
  if (!confinement.isSandboxed)
    warn({}, 'ffmpeg runs without a sandbox: bubblewrap is not installed, or not permitted here')
  const toolFor =
    (program: string) =>
    (args: readonly string[], options: ToolOptions): Promise<Ended> => {
      const { folder, cpuSeconds = readingCpuSeconds } = options
      return runProgram(
        [...confinement.prefix({ program, folder, cpuSeconds }), program, ...args],
        env,
        options,
      )
    }
  return { ffmpeg: toolFor(found.ffmpeg), ffprobe: toolFor(found.ffprobe) }
}

async function strictestThatWorks(
  { ffmpeg, ffprobe, wrappers }: Found,
  folder: string,
  env: Record<string, string>,
): Promise<Confinement> {
  for (const confinement of confinements(wrappers, memoryLimit(machineBytes()))) {
    const run = (program: string, ...args: string[]) =>
      runProgram(
        [
          ...confinement.prefix({ program, folder, cpuSeconds: readingCpuSeconds }),
          program,
          '-hide_banner',
          ...args,
        ],
        env,
        { folder, signal: AbortSignal.timeout(checkLimitMs) },
      ).catch(() => undefined)
    const [encoder, version] = [await run(ffmpeg, '-h', 'encoder=libx264'), await run(ffprobe, '-version')]
    if (encoder?.code !== 0 || version?.code !== 0) continue
    if (encoder.output.includes('Encoder libx264')) return confinement
    throw new FfmpegMissing(
      'ffmpeg on this server was built without libx264, so videos cannot be transcoded yet.',
    )
  }
  throw new FfmpegMissing('ffmpeg is installed on this server, but cannot be run.')
}

/** Of the machine, or of the container that we run in. */
const machineBytes = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/** The real path of a program on the search path, or undefined. */
export async function findProgram(name: string, searchPath: string): Promise<string | undefined> {
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  for (const folder of folders) {
    const found = await runnable(join(folder, name))
    if (found !== undefined) return found
  }
  return undefined
}

/** The real path, if a program is there that we may run. */
export async function runnable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile() ? await realpath(path) : undefined
  } catch {
    return undefined // Missing or forbidden: the same for us.
  }
}

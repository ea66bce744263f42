import { type Finding, ok, problem, warning } from '../finding.ts'

export interface FfmpegFacts {
  /** Why this server does not transcode; undefined if it does. */
  notNeeded: string | undefined
  /** Whether FFMPEG_PATH or FFPROBE_PATH is set. */
  isConfigured: boolean
  ffmpeg: ProgramFacts | undefined
  ffprobe: ProgramFacts | undefined
  encoders: Record<string, boolean>
  hasSandbox: boolean
}

interface ProgramFacts {
  /** What it prints about itself; undefined if it cannot be run. */
  banner: string | undefined
}

/** The oldest with which the tests run is 5.1. */
const oldestMajor = 5

export function judgeFfmpeg(facts: FfmpegFacts): Finding[] {
  const check = 'ffmpeg'
  const { ffmpeg, ffprobe, notNeeded } = facts
  if (notNeeded !== undefined) return [ok(check, notNeeded)]
  if (!ffmpeg || !ffprobe) {
    const name = ffmpeg ? 'ffprobe' : 'ffmpeg'
    return facts.isConfigured
      ? [
          problem(
            check,
            `${name.toUpperCase()}_PATH names no program that can be run.`,
            'Correct it, or unset it so that PATH decides.',
          ),
        ]
      : [
          warning(
            check,
            `${name} is not installed: uploaded videos wait for it.`,
            'Install ffmpeg, if your studies show uploaded videos.',
          ),
        ]
  }
  return [judgeVersion(ffmpeg, ffprobe), ...judgeEncoders(facts.encoders), ...judgeSandbox(facts.hasSandbox)]
}

function judgeVersion(ffmpeg: ProgramFacts, ffprobe: ProgramFacts): Finding {
  const check = 'ffmpeg'
  const broken = [ffmpeg, ffprobe].findIndex(({ banner }) => banner === undefined)
  if (broken >= 0)
    return problem(
      check,
      `${['ffmpeg', 'ffprobe'][broken]} is there, but cannot be run.`,
      'Install ffmpeg again, and run `ffmpeg -version` as the user of the server.',
    )
  // Builds from git have no version number, and are newer than any release.
  const version = /version n?(\d+(?:\.\d+)*)/.exec(ffmpeg.banner ?? '')?.[1]
  if (version !== undefined && Number.parseInt(version, 10) < oldestMajor)
    return problem(
      check,
      `ffmpeg ${version} is too old.`,
      `Install ${oldestMajor}.1 or newer, or set FFMPEG_PATH and FFPROBE_PATH to one.`,
    )
  return ok(check, `ffmpeg ${version ?? 'without a version number'}.`)
}

const judgeEncoders = (encoders: Record<string, boolean>): Finding[] =>
  Object.entries(encoders).map(([name, isThere]) =>
    isThere
      ? ok('encoder', `ffmpeg has ${name}.`)
      : problem(
          'encoder',
          `ffmpeg was built without ${name}: no video can be transcoded.`,
          'Install a build of ffmpeg that has it, such as that of Debian.',
        ),
  )

const judgeSandbox = (hasSandbox: boolean): Finding[] =>
  hasSandbox
    ? []
    : [
        warning(
          'sandbox',
          'bubblewrap is not installed, or not permitted here: ffmpeg reads uploaded files without a sandbox.',
          'Install bubblewrap and permit user namespaces, or keep ffmpeg in a container of its own.',
        ),
      ]

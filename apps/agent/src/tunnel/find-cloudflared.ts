import { join } from 'node:path'
import type { CacheFile } from '../cli/fetch-to-cache.ts'
import { sha256Of, unpackRelease } from '../download/index.ts'
import { closeFolder, userFolders } from '../files/index.ts'
import { Misuse } from '../misuse.ts'
import { expectProgram, findOnPath, programBelow, runProgram } from '../processes/index.ts'
import { type CloudflaredRelease, cloudflaredRelease } from './cloudflared-release.ts'

export interface Machine {
  platform: NodeJS.Platform
  arch: string
  env: NodeJS.ProcessEnv
}

export interface FindOptions {
  /** Given with --cloudflared. */
  path: string | undefined
  machine: Machine
  /** Asks whether the program may be downloaded. */
  consent: (question: string) => Promise<boolean>
  /** Downloads a file into the cache and returns its path. */
  fetchFile: (file: CacheFile) => Promise<string>
  say(text: string): void
  signal: AbortSignal
  release?: CloudflaredRelease
}

const name = 'cloudflared'
const variable = 'ATRIUM_CLOUDFLARED'
const installYourself =
  'Install cloudflared yourself (https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/), or give its path: --cloudflared <path>'

/** The path of cloudflared: as given, from the environment, from the PATH, from the cache, or downloaded. */
export async function findCloudflared(options: FindOptions): Promise<string> {
  const { path, machine, signal, release = cloudflaredRelease } = options
  const { platform, arch, env } = machine
  if (path !== undefined) return expectProgram(path, '--cloudflared')
  if (env[variable]) return expectProgram(env[variable], variable)
  const installed = await findOnPath(name, env, platform)
  if (installed !== undefined) return installed

  const file = release.files[`${platform}-${arch}`]
  if (file === undefined)
    throw new Misuse(
      `cloudflared is not installed, and none is known for ${platform} on ${arch}. ${installYourself}`,
    )
  const { cache } = userFolders(env, platform)
  // Others must not be able to replace the program between its check and its start.
  await closeFolder(cache, options.say)
  const folder = join(cache, name, release.version)
  const cached = await programBelow(folder, name, platform)
  // Read again each time: a file in a cache may have been damaged or replaced since.
  const isIntact = async (program: string) => (await sha256Of(program, signal)) === file.binarySha256
  if (cached !== undefined && (await isIntact(cached))) return cached
  const url = `${release.folder}/${file.name}`
  const question = `cloudflared is not installed. Download version ${release.version} from ${url}, check it against its known checksum and keep it in ${folder}?`
  if (!(await options.consent(question)))
    throw new Misuse(
      `cloudflared is not installed. To download version ${release.version}, add --yes. ${installYourself}`,
    )
  const download = await options.fetchFile({
    url,
    path: `downloads/${release.version}-${file.name}`,
    what: `cloudflared ${release.version}`,
    sha256: file.sha256,
    instead: installYourself,
  })
  return unpackRelease({
    files: [download],
    program: name,
    folder,
    platform,
    run: runProgram,
    async check(program) {
      if (!(await isIntact(program)))
        throw new Misuse(
          `${url} contains another program than expected: its checksum is wrong. It was not kept. ${installYourself}`,
        )
    },
  })
}

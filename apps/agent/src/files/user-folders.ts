import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { Misuse } from '../misuse.ts'

export interface UserFolders {
  /** Small files that matter: the API key. */
  config: string
  /** Large files that can be downloaded again. */
  cache: string
}

const ours = 'atrium-agent'

/** Where this platform wants a program's files to be. Relative XDG paths are ignored, as their specification says. */
export function userFolders(
  env: NodeJS.ProcessEnv,
  platform: string = process.platform,
  home: string = homeIn(env, platform),
): UserFolders {
  if (platform === 'win32') {
    const { join } = win32
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming')
    const local = env.LOCALAPPDATA || join(home, 'AppData', 'Local')
    return { config: join(roaming, ours), cache: join(local, ours, 'Cache') }
  }
  const { join, isAbsolute } = posix
  if (platform === 'darwin')
    return {
      config: join(home, 'Library', 'Application Support', ours),
      cache: join(home, 'Library', 'Caches', ours),
    }
  const folder = (given: string | undefined, usual: string): string =>
    join(given && isAbsolute(given) ? given : join(home, usual), ours)
  return { config: folder(env.XDG_CONFIG_HOME, '.config'), cache: folder(env.XDG_CACHE_HOME, '.cache') }
}

function homeIn(env: NodeJS.ProcessEnv, platform: string): string {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
  if (!home) throw new Misuse('This user has no home folder. Set HOME to a folder that belongs to the user.')
  return home
}

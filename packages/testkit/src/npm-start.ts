import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@atrium/bundler'
import { findProgram } from './program.ts'
import { type Server, startServer } from './server.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

export interface FreshMachine {
  /** What `npm start` runs; its process is that of the start. */
  server: Server
  folder: string
  /** What apt-get was asked for, and whether it was stopped. */
  aptLog(): string
  letAptInstall(): void
  /** While packages are installed, a file keeps them from starting services. */
  hasServiceRules(): boolean
  /** Ends the start as Ctrl-C would, and resolves with its exit code. */
  stop(): Promise<number | null>
  remove(): void
}

/** `npm start` on a machine without ffmpeg, whose apt-get installs it once the test says so. */
export async function startOnFreshMachine(): Promise<FreshMachine> {
  const folder = createTemporaryFolder('fresh')
  const [bin, system] = [join(folder.path, 'bin'), join(folder.path, 'system')]
  for (const one of [bin, join(system, 'usr', 'sbin')]) mkdirSync(one, { recursive: true })
  writeFileSync(join(bin, 'apt-get'), aptGet(bin, system), { mode: 0o755 })
  const log = join(system, 'apt.log')
  const server = await startServer({
    entry: join(root, 'scripts', 'start.mjs'),
    env: { PATH: bin, ATRIUM_TEST_SYSTEM: system },
  })
  return {
    server,
    folder: folder.path,
    aptLog: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    letAptInstall: () => writeFileSync(join(system, 'go-on'), ''),
    hasServiceRules: () => existsSync(join(system, 'usr', 'sbin', 'policy-rc.d')),
    stop: () => server.stop(),
    remove: () => folder.remove(),
  }
}

/** Like Debian's, which SIGINT ends while it downloads. */
function aptGet(bin: string, system: string): string {
  const links = ['ffmpeg', 'ffprobe', 'bwrap', 'nice', 'prlimit'].map(
    (name) => `/bin/ln -s ${findProgram(name)} ${bin}/${name}`,
  )
  return `#!/bin/sh
case "$*" in *update*) exit 0;; esac
trap 'echo stopped >> ${system}/apt.log; exit 100' INT
echo "$*" >> ${system}/apt.log
while ! [ -e ${system}/go-on ]; do /bin/sleep 0.1; done
${links.join('\n')}
`
}

// Programs that npm cannot install: found on this machine, installed if possible, or else named in an error.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { giveUp } from './setup.mjs'

const debianPostgres = '/usr/lib/postgresql'
const serviceRules = '/usr/sbin/policy-rc.d'
const clusterRules = '/etc/postgresql-common/createcluster.conf'

/** Both come with the package; bubblewrap keeps them from the rest of the machine. */
export const videoPrograms = [
  { program: 'ffmpeg', package: 'ffmpeg' },
  { program: 'ffprobe', package: 'ffmpeg' },
  { program: 'bwrap', package: 'bubblewrap' },
]

/**
 * Makes sure that every program can be run. `wanted` is a list of { program, package } (a Debian package), for a module of
 * Python with { module } as well.
 */
export function installSystemPrograms(wanted) {
  const problem = tryToInstall(wanted)
  if (problem !== undefined) giveUp(problem)
}

/** The same for programs without which only a part of the platform does not work: names them and goes on. */
export function installOptionalPrograms(wanted, withoutThem) {
  const problem = tryToInstall(wanted)
  if (problem !== undefined) console.error(`atrium: ${withoutThem}: ${problem}`)
}

/** Why some of the programs cannot be run, even after trying to install them. */
function tryToInstall(wanted) {
  const missing = wanted.filter((one) => !isInstalled(one))
  if (missing.length === 0) return undefined
  const packages = [...new Set(missing.map((one) => one.package))]
  const names = missing.map(({ program, module }) => module ?? program).join(', ')
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (findProgram('apt-get') === undefined)
    return `${names} not found; install ${packages.join(' and ')} with this system's package manager.`
  if (process.getuid?.() !== 0) return `${names} not found; install with: sudo ${install}`

  console.error(`atrium: installing system programs (${install})`)
  const hasSucceeded = withoutStartingServices(() => aptInstall(packages))
  if (!hasSucceeded) return `apt-get install ${packages.join(' ')} failed.`
  return missing.some((one) => !isInstalled(one)) ? `${names} not found even after: ${install}` : undefined
}

/** Debian's modules are for Debian's own Python, which need not be the first one on the PATH. */
function isInstalled({ program, module }) {
  if (module === undefined) return findProgram(program) !== undefined
  const canImport = (python) => spawnSync(python, ['-c', `import ${module}`]).status === 0
  return [program, join('/usr/bin', program)].some(canImport)
}

/** Absolute path of a program, or undefined. Debian keeps PostgreSQL's server programs off the PATH. */
export function findProgram(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...folders, ...postgresFolders()].map((folder) => join(folder, program)).find(canRun)
}

function postgresFolders() {
  if (!existsSync(debianPostgres)) return []
  const newestFirst = readdirSync(debianPostgres).sort((a, b) => Number(b) - Number(a))
  return newestFirst.map((version) => join(debianPostgres, version, 'bin'))
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether it has succeeded. */
function aptInstall(packages) {
  const wait = ['-o', 'DPkg::Lock::Timeout=300'] // Another apt-get may be running.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const settings = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  // If the update fails (one broken mirror), the existing lists may suffice, so the install decides.
  spawnSync('apt-get', [...wait, 'update', '-qq'], settings)
  const install = [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages]
  return spawnSync('apt-get', install, settings).status === 0
}

/**
 * Debian packages create a database cluster and start their daemons. Tests start their own temporary ones, so we
 * prevent both, in files that did not exist before. An administrator's own rules stay unchanged.
 */
function withoutStartingServices(install) {
  if (!existsSync(clusterRules)) {
    mkdirSync('/etc/postgresql-common', { recursive: true })
    writeFileSync(clusterRules, 'create_main_cluster = false\n')
  }
  const ownRules = !existsSync(serviceRules)
  const removeOwnRules = () => ownRules && rmSync(serviceRules, { force: true })
  if (ownRules) writeFileSync(serviceRules, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  process.once('exit', removeOwnRules) // A signal skips `finally`.
  try {
    return install()
  } finally {
    removeOwnRules()
  }
}

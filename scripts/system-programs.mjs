// Programs that npm cannot install: found on this machine, installed if possible, or else named in an error.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { secondsSince } from './packages/timed.mjs'
import { giveUp } from './setup.mjs'

const debianPostgres = '/usr/lib/postgresql'
/** For tests, whose user need not be root: the folder that stands for this system's files. */
const testSystem = process.env.ATRIUM_TEST_SYSTEM
const serviceRules = join(testSystem ?? '/', 'usr/sbin/policy-rc.d')
const clusterRules = join(testSystem ?? '/', 'etc/postgresql-common/createcluster.conf')

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

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
export async function installSystemPrograms(wanted) {
  const problem = await tryToInstall(wanted)
  if (problem !== undefined) giveUp(problem)
}

/**
 * The same for programs without which only a part of the platform does not work: names them and goes on. Once `signal` is
 * aborted, the installation ends as soon as it can without leaving packages half installed.
 */
export async function installOptionalPrograms(wanted, withoutThem, signal) {
  const problem = await tryToInstall(wanted, signal)
  if (problem !== undefined) console.error(`atrium: ${withoutThem}: ${problem}`)
}

/** Why some of the programs cannot be run, even after trying to install them. */
async function tryToInstall(wanted, signal) {
  const missing = wanted.filter((one) => !isInstalled(one))
  if (missing.length === 0) return undefined
  const packages = [...new Set(missing.map((one) => one.package))]
  const names = missing.map(({ program, module }) => module ?? program).join(', ')
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (findProgram('apt-get') === undefined)
    return `${names} not found; install ${packages.join(' and ')} with this system's package manager.`
  if (process.getuid?.() !== 0 && testSystem === undefined)
    return `${names} not found; install with: sudo ${install}`

  console.error(`atrium: installing system programs (${install})`)
  const startedAt = performance.now()
  const hasSucceeded = await withoutStartingServices(() =>
    signal ? aptInstall(packages, signal) : endedBySignals((ended) => aptInstall(packages, ended)),
  )
  if (!hasSucceeded)
    return `apt-get install ${packages.join(' ')} ${signal?.aborted ? 'was stopped' : 'failed'}.`
  if (missing.some((one) => !isInstalled(one))) return `${names} not found even after: ${install}`
  console.error(`atrium: system programs installed (${secondsSince(startedAt)} s)`)
  return undefined
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

/** For callers with nothing else to end: a signal ends the installation, and then this process. */
async function endedBySignals(install) {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const name of signals) process.once(name, end)
  try {
    return await install(ending.signal)
  } finally {
    for (const name of signals) process.off(name, end)
    if (ending.signal.aborted) process.exit(1)
  }
}

/** Whether it has succeeded. */
async function aptInstall(packages, signal) {
  const wait = ['-o', 'DPkg::Lock::Timeout=300'] // Another apt-get may be running.
  // If the update fails (one broken mirror), the existing lists may suffice, so the install decides.
  await aptGet([...wait, 'update', '-qq'], signal)
  if (signal.aborted) return false
  return (
    (await aptGet([...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages], signal)) === 0
  )
}

/**
 * In a group of its own: Ctrl-C would reach dpkg as well, and interrupt it in the middle of a package. apt-get alone ends at
 * once while it downloads, and after that only when dpkg is done.
 */
async function aptGet(args, signal) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const child = spawn('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const stop = () => child.kill('SIGINT')
  signal.addEventListener('abort', stop, { once: true })
  const [code] = await once(child, 'close').catch(() => [1])
  signal.removeEventListener('abort', stop)
  return code
}

/**
 * Debian packages create a database cluster and start their daemons. Tests start their own temporary ones, so we
 * prevent both, in files that did not exist before. An administrator's own rules stay unchanged.
 */
async function withoutStartingServices(install) {
  if (!existsSync(clusterRules)) {
    mkdirSync(dirname(clusterRules), { recursive: true })
    writeFileSync(clusterRules, 'create_main_cluster = false\n')
  }
  if (existsSync(serviceRules)) return install()
  writeFileSync(serviceRules, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const removeRules = () => rmSync(serviceRules, { force: true })
  process.once('exit', removeRules)
  try {
    return await install()
  } finally {
    removeRules()
    process.off('exit', removeRules)
  }
}

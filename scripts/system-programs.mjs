// Programs that npm cannot install: found on this machine, installed if possible, or else named in an error.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { giveUp } from './setup.mjs'

const debianPostgres = '/usr/lib/postgresql'
const serviceRules = '/usr/sbin/policy-rc.d'
const clusterRules = '/etc/postgresql-common/createcluster.conf'

/** Makes sure that every program can be run. `wanted` is a list of { program, package } (a Debian package). */
export function installSystemPrograms(wanted) {
  const missing = wanted.filter(({ program }) => findProgram(program) === undefined)
  if (missing.length === 0) return
  const packages = [...new Set(missing.map((one) => one.package))]
  const names = missing.map(({ program }) => program).join(', ')
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (findProgram('apt-get') === undefined) {
    giveUp(`${names} not found; install ${packages.join(' and ')} with this system's package manager.`)
  }
  if (process.getuid?.() !== 0) giveUp(`${names} not found; install with: sudo ${install}`)

  console.error(`atrium: installing system programs (${install})`)
  withoutStartingServices(() => aptInstall(packages))
  const still = missing.filter(({ program }) => findProgram(program) === undefined)
  if (still.length > 0) giveUp(`${names} not found even after: ${install}`)
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

function aptInstall(packages) {
  const wait = ['-o', 'DPkg::Lock::Timeout=300'] // Another apt-get may be running.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const settings = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  // If the update fails (one broken mirror), the existing lists may suffice, so the install decides.
  spawnSync('apt-get', [...wait, 'update', '-qq'], settings)
  const install = [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages]
  const { status } = spawnSync('apt-get', install, settings)
  if (status !== 0) giveUp(`apt-get install ${packages.join(' ')} failed.`)
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
  process.once('exit', removeOwnRules) // giveUp() skips `finally`.
  try {
    install()
  } finally {
    removeOwnRules()
  }
}

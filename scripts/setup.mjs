// What `npm start` and `npm test` need before any of our TypeScript can run. Plain JavaScript without
// packages: it must work on the machine's own Node (20 or newer), before `npm ci` has ever run.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { anyRegistry, withAddresses } from './packages/addressed-lockfile.mjs'
import { timed } from './packages/timed.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
/** Where `npm start` keeps the bundled server; `npm ci` empties it with everything else that was installed. */
export const serverFolder = join(root, 'node_modules', '.cache', 'server')
const oldestNode = 24

/** Ends the program with one sentence on standard error. */
export function giveUp(sentence) {
  console.error(`atrium: ${sentence}`)
  process.exit(1)
}

/** An environment in which `node` and the programs of packages are the pinned ones. */
export function environmentWithPackages() {
  return { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }
}

/**
 * Runs `npm ci` if node_modules is missing or does not match package-lock.json. To run the platform, the tools of tests
 * (`devDependencies`) need not be there; once they are, they are kept up to date as well. `report` prints the step and its time.
 */
export async function installPackages({ withTools = true, report = timed } = {}) {
  if (packagesAreCurrent(withTools)) return
  const release = await takeInstallLock()
  try {
    // The previous holder of the lock has probably done the work.
    if (packagesAreCurrent(withTools)) return
    const everything = withTools || hasTools(installedPackages() ?? {})
    await report('installing packages (npm ci)', () => installAll(everything))
  } finally {
    release()
  }
}

/** Path of a Node that runs our TypeScript directly: the pinned package, or else the running one. */
export function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program)
  if (existsSync(pinned)) return pinned
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return process.execPath
  return giveUp(`Node ${oldestNode} or newer is required, but the running Node is ${process.versions.node}.`)
}

/** Builds the web app unless the last build is up to date. */
export function buildWeb() {
  if (runScript('build-web.ts') !== 0) giveUp('the web app could not be built.')
}

/** Runs a script of ours on the pinned Node, and returns its exit code. */
export function runScript(name, ...args) {
  const settings = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: environmentWithPackages() }
  return spawnSync(pinnedNode(), [join(root, 'scripts', name), ...args], settings).status
}

/** Whether everything is installed that `npm ci` would. */
export const installedAsWanted = () => packagesAreCurrent(true)

function packagesAreCurrent(withTools) {
  const wanted = readLockfile(join(root, 'package-lock.json'))
  const installed = installedPackages()
  return wanted !== undefined && installed !== undefined && lockfilesAgree(wanted, installed, withTools)
}

/** npm writes this file last, so it shows what is really installed, whether by `npm ci` or by `npm install`. */
const installedPackages = () => readLockfile(join(root, 'node_modules', '.package-lock.json'))

/** Optional packages of other platforms are only in `wanted`; so are tools, where they are not needed. */
export function lockfilesAgree(wanted, installed, withTools = true) {
  const inNodeModules = Object.entries(wanted).filter(([path]) => path.includes('node_modules/'))
  const wantedOnesAreThere = inNodeModules.every(([path, entry]) => {
    const found = installed[path]
    if (found === undefined)
      return entry.optional === true || entry.devOptional === true || (entry.dev === true && !withTools)
    return found.version === entry.version && found.integrity === entry.integrity
  })
  return wantedOnesAreThere && Object.keys(installed).every((path) => path in wanted)
}

const hasTools = (installed) => Object.values(installed).some(({ dev }) => dev === true)

function readLockfile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined // Missing or truncated: treated as not installed.
  }
}

/** npm reads this file instead of package-lock.json; it is there only while packages are installed. */
const shrinkwrap = join(root, 'npm-shrinkwrap.json')

async function installAll(withTools) {
  const remove = () => rmSync(shrinkwrap, { force: true })
  const leave = () => process.exit(1)
  // giveUp() skips `finally`, and so does Ctrl-C.
  process.once('exit', remove).once('SIGINT', leave).once('SIGTERM', leave)
  try {
    const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    writeFileSync(shrinkwrap, JSON.stringify(withAddresses(lockfile)))
    if ((await runNpmCi(withTools, 'silent')) === 0) return
  } finally {
    remove()
    process.off('SIGINT', leave).off('SIGTERM', leave)
  }
  // Some registries keep their files elsewhere. Then npm has to ask for the addresses.
  if ((await runNpmCi(withTools, 'error')) !== 0) giveUp('npm ci failed.')
}

/** Its exit code. */
async function runNpmCi(withTools, loglevel) {
  // NODE_ENV=production or a user's npm settings must not omit what tests and the pinned Node need.
  const packages = [withTools ? '--include=dev' : '--omit=dev', '--include=optional']
  const options = ['ci', ...packages, `--loglevel=${loglevel}`, `--replace-registry-host=${anyRegistry}`]
  const { npm_execpath: npm, npm_node_execpath: npmNode } = process.env
  const insideNpm = npm !== undefined && npmNode !== undefined && basename(npm) === 'npm-cli.js'
  const settings = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
  const install = insideNpm
    ? spawn(npmNode, [npm, ...options], settings)
    : // Windows starts npm.cmd only through a shell; no argument holds a path, so nothing needs quoting.
      spawn('npm', options, { ...settings, shell: process.platform === 'win32' })
  const [status] = await once(install, 'close').catch((error) => giveUp(`npm ci failed: ${error.message}.`))
  return status
}

/** One install at a time. The lock is outside node_modules, because `npm ci` empties that folder. */
async function takeInstallLock() {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `atrium-install-${process.getuid?.() ?? 0}-${name}.lock`)
  for (let attempt = 1; ; attempt++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      const release = () => rmSync(lock, { force: true })
      process.once('exit', release) // giveUp() skips `finally`.
      return release
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (attempt === 10) console.error(`atrium: waiting for another installation to finish (${lock})`)
    if (holderIsGone(lock)) rmSync(lock, { force: true })
    else await delay(500)
  }
}

function holderIsGone(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    if (pid === 0) return false // Just created; its pid has not been written yet.
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

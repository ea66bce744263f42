import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { codeOf } from '../files/index.ts'
import { Misuse } from '../misuse.ts'
import { oneLine } from '../one-line.ts'
import { isAlive } from '../processes/index.ts'

/** The holder shows this often that it is alive; a process number alone may have been given to another program. */
const beatMs = 15_000
const deadAfterMs = 120_000

/**
 * Takes a lock that holds against other processes, or refuses with a sentence. A lock whose holder was killed is taken over. Returns the function that gives it back.
 */
export async function takeLock(path: string, what: string): Promise<() => Promise<void>> {
  const ours = `${process.pid} ${randomBytes(8).toString('hex')} ${hostname()}`
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await createLock(path, ours)) {
      const beat = setInterval(() => {
        const now = new Date()
        utimes(path, now, now).catch(() => undefined) // A beat that is missed does no harm.
      }, beatMs)
      beat.unref()
      return async () => {
        clearInterval(beat)
        if ((await readFile(path, 'utf8').catch(() => '')) === ours) await rm(path, { force: true })
      }
    }
    const holder = await readFile(path, 'utf8').catch(() => '')
    if (await isHeld(path, holder))
      throw new Misuse(
        `Another process (${nameOf(holder)}) is downloading ${what}. Wait until it has finished, then run the command again.`,
      )
    await takeAway(path, holder)
  }
  throw new Misuse(`${path} cannot be locked. Run the command again.`)
}

async function createLock(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(text).finally(() => file.close())
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function isHeld(path: string, holder: string): Promise<boolean> {
  const modified = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  if (modified === undefined) return false
  if (Date.now() - modified >= deadAfterMs) return false
  const { pid, host } = read(holder)
  // Created, but not written yet; or of a machine that shares the folder, whose processes we cannot see.
  if (host !== hostname()) return true
  // In a container, the process that was killed had the number that we have now.
  if (pid === process.pid) return modified >= Date.now() - process.uptime() * 1_000
  return isAlive(pid)
}

function read(holder: string): { pid: number; host: string } {
  const [pid = '', , ...host] = holder.split(' ')
  return { pid: Number.parseInt(pid, 10), host: host.join(' ') }
}

function nameOf(holder: string): string {
  if (holder === '') return 'it has just begun'
  const { pid, host } = read(holder)
  return host === hostname() ? String(pid) : `${pid} on ${oneLine(host)}`
}

/** Of two that find the same dead lock, the second must not remove the new lock of the first. */
async function takeAway(path: string, holder: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = await readFile(aside, 'utf8').catch(() => '')
  if (moved === holder) await rm(aside, { force: true })
  else await rename(aside, path)
}

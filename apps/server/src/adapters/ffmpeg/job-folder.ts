import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const prefix = 'job'
/** Of another machine that shares the disk; a folder in use gets new segments all the time. */
const abandonedAfterMs = 24 * 3_600_000

const ownName = `${prefix}-${hostname().replaceAll(/[^\w.]/g, '_')}`
const nameOf = (pid: number): string => `${ownName}-${pid}-`

/** Runs `act` in a folder that nobody else can read, and removes it with everything in it. */
export async function inJobFolder<Result>(
  workFolder: string,
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(workFolder, nameOf(process.pid)))
  try {
    return await act(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Makes the folder, and removes what processes that were killed have left in it. */
export async function openWorkFolder(workFolder: string, now: number): Promise<void> {
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  const names = (await readdir(workFolder)).filter((name) => name.startsWith(`${prefix}-`))
  for (const name of names)
    if (await isAbandoned(join(workFolder, name), name, now))
      await rm(join(workFolder, name), { recursive: true, force: true, maxRetries: 5 })
}

async function isAbandoned(path: string, name: string, now: number): Promise<boolean> {
  if (!name.startsWith(`${ownName}-`))
    return now - (await stat(path).catch(() => ({ mtimeMs: now }))).mtimeMs > abandonedAfterMs
  const pid = Number(/-(\d+)-\w+$/.exec(name)?.[1])
  // Our own number belonged to an earlier process: in a container it is often 1.
  return pid === process.pid || !isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

import { readFile, unlink, writeFile } from 'node:fs/promises'

/**
 * Keeps a second process from opening the same queue: each would hold its own idea of what waits. The file names its
 * process; one that is gone (kill -9) leaves it behind, and the next takes it over.
 */
export async function lockQueue(path: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt++) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      return () => unlink(path).catch(() => undefined)
    } catch (error) {
      if (!isTaken(error) || attempt === 5) throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (isAlive(holder)) throw new Error(`another process (${holder}) is using the queue ${path}`)
    await unlink(path).catch(() => undefined)
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Our own number is a former process's: in a container every start has the same one. */
function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0 || processId === process.pid) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isOfAnotherUser, readAtMost, replacePrivateFile } from '../files/index.ts'
import { isAlive } from '../processes/index.ts'

/** A file of its own, so that two commands at the same time cannot undo a change of the key. */
const fileIn = (folder: string): string => join(folder, 'serving.json')
const maxBytes = 4_096

/** Where `serve` answers, so that `verify` needs no flags on the same machine. Returns what forgets it when `serve` ends. */
export async function rememberAddress(folder: string, baseUrl: string): Promise<() => Promise<void>> {
  const text = `${JSON.stringify({ baseUrl, pid: process.pid, host: hostname() })}\n`
  await replacePrivateFile(fileIn(folder), text)
  return async () => {
    // One that was started later has written its own. A file that stays names a process that is gone.
    if ((await readText(folder)) === text) await rm(fileIn(folder), { force: true }).catch(() => undefined)
  }
}

/**
 * Undefined if no `serve` is running here, or the file is not ours: then the operator has to say it. Once it has ended, anyone
 * may listen on its port and wait for the key.
 */
export async function readAddress(folder: string): Promise<string | undefined> {
  try {
    const { baseUrl, pid, host } = JSON.parse(await readText(folder))
    // The folder may be shared with other machines, which have processes of their own.
    return typeof baseUrl === 'string' && host === hostname() && isAlive(pid) ? baseUrl : undefined
  } catch {
    return undefined
  }
}

/** Empty if there is none of ours. */
async function readText(folder: string): Promise<string> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(fileIn(folder), flags).catch(() => undefined)
  try {
    if (file === undefined || isOfAnotherUser((await file.stat()).uid)) return ''
    return (await readAtMost(file, maxBytes)) ?? ''
  } catch {
    return ''
  } finally {
    await file?.close()
  }
}

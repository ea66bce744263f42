import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { Misuse } from '../misuse.ts'
import { codeOf } from './private-folder.ts'

/** Writes a file that only this user can read: whole or not at all, also if the machine stops in between. */
export const replacePrivateFile = (path: string, text: string): Promise<void> =>
  withDraft(path, text, (draft) => rename(draft, path))

/** The same for a file that must not be there yet. False if somebody else was faster. */
export const createPrivateFile = (path: string, text: string): Promise<boolean> =>
  withDraft(path, text, async (draft) => {
    try {
      await link(draft, path)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  })

async function withDraft<Result>(
  path: string,
  text: string,
  publish: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    // 'wx' never follows a link that somebody put there.
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return await publish(draft)
  } catch (error) {
    throw new Misuse(`${path} cannot be written (${codeOf(error)}). Free space, or check the permissions.`)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The text of a small file; undefined if it has more bytes, so that a large one does not fill our memory. */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
  return bytesRead > maxBytes ? undefined : buffer.toString('utf8', 0, bytesRead)
}

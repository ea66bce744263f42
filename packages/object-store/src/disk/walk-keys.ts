import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSegment, folderOf, marks } from './key-path.ts'

/** One thing in a folder: an object, or a folder with a slash after its name. */
interface Entry {
  name: Buffer
  path: string
  isFolder: boolean
}

/** Segments that are too long for one name continue in folders, which belong to the folder that holds them. */
async function entriesIn(path: string, begun = ''): Promise<Entry[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const entries: Entry[] = []
  for (const name of names) {
    const encoded = begun + name.slice(0, -1)
    const below = join(path, name)
    if (name.endsWith(marks.continued)) entries.push(...(await entriesIn(below, encoded)))
    else if (name.endsWith(marks.folder))
      entries.push({ name: decodeSegment(`${encoded}%2f`), path: below, isFolder: true })
    else if (name.endsWith(marks.object))
      entries.push({ name: decodeSegment(encoded), path: below, isFolder: false })
  }
  return entries
}

const startsWith = (bytes: Buffer, prefix: Buffer): boolean =>
  bytes.length >= prefix.length && bytes.subarray(0, prefix.length).equals(prefix)

/**
 * All keys that begin with `prefix` and come after `after`, in the order of their UTF-8 bytes, as S3 lists them. A
 * folder sorts with its slash, so one walk is in order: `a-b`, `a/c`, `a0`.
 */
export async function* walkKeys(
  root: string,
  prefix: string,
  after: Buffer,
): AsyncGenerator<{ key: string; path: string }> {
  const wanted = Buffer.from(prefix)
  async function* walk(folder: string, base: Buffer): AsyncGenerator<{ key: string; path: string }> {
    const entries = await entriesIn(folder)
    for (const { name, path, isFolder } of entries.toSorted((a, b) => Buffer.compare(a.name, b.name))) {
      const bytes = Buffer.concat([base, name])
      const isPast = Buffer.compare(bytes, after) > 0
      if (isFolder) {
        const mayHold = startsWith(bytes, wanted) || startsWith(wanted, bytes)
        if (mayHold && (isPast || startsWith(after, bytes))) yield* walk(path, bytes)
      } else if (isPast && startsWith(bytes, wanted)) yield { key: bytes.toString('utf8'), path }
    }
  }
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  yield* walk(folderOf(root, base), Buffer.from(base))
}

import { join } from 'node:path'

// A key becomes folders and a file with names that every file system takes: bytes other than these are written as %xx
// (upper case too, for file systems that do not distinguish it), and the last character says what a name is. So `a` and
// `a/b` can both exist, and no name is `..`.
const unsafe = /[^a-z0-9._-]/g
/** File systems allow 255 bytes in a name. */
const maxNameChars = 200

export const marks = { folder: '~', object: '=', continued: '+' } as const

const encodeSegment = (segment: string): string =>
  Buffer.from(segment, 'utf8')
    .toString('latin1')
    .replace(unsafe, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

export const decodeSegment = (encoded: string): Buffer =>
  Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** A segment as one name, or as folders that continue it and a name. */
function namesOf(segment: string, mark: string): string[] {
  const encoded = encodeSegment(segment)
  const names: string[] = []
  let at = 0
  for (; encoded.length - at > maxNameChars; at += maxNameChars)
    names.push(encoded.slice(at, at + maxNameChars) + marks.continued)
  return [...names, encoded.slice(at) + mark]
}

/** The folder that holds everything below `prefix`, which is empty or ends with a slash. */
export const folderOf = (root: string, prefix: string): string =>
  join(
    root,
    ...prefix
      .split('/')
      .slice(0, -1)
      .flatMap((segment) => namesOf(segment, marks.folder)),
  )

export function objectPath(root: string, key: string): string {
  const slash = key.lastIndexOf('/')
  return join(folderOf(root, key.slice(0, slash + 1)), ...namesOf(key.slice(slash + 1), marks.object))
}

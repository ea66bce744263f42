import { fileNamePattern } from '@atrium/contract'

const pattern = new RegExp(fileNamePattern, 'u')
/** Object stores allow keys of 1,024 bytes, of which our own part takes less than a hundred. */
const mostBytes = 900

/** What is wrong with the name of an uploaded file, which becomes part of an object key; undefined if nothing is. */
export function fileNameIssue(filename: string): string | undefined {
  if (!pattern.test(filename))
    return 'must be a file name of 1 to 255 characters, without a path, control characters, U+FFFE or U+FFFF'
  // Addresses are normalised on their way: these two would lead elsewhere.
  if (/^\.{1,2}$/.test(filename)) return 'must be the name of a file'
  if (Buffer.byteLength(filename) > mostBytes) return `must be at most ${mostBytes} bytes long`
  return undefined
}

/** Parameters such as codecs are of no use here, and need not survive a header. */
export const plainType = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()

export const isVideoType = (contentType: string): boolean =>
  /^video\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(plainType(contentType))

import { fileNamePattern, limits } from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'

export interface FileFacts {
  filename: string
  contentType: string
  fileSize: number
}

const pattern = new RegExp(fileNamePattern, 'u')
/** Object stores allow keys of 1,024 bytes, of which our own part takes less than a hundred. */
const maxNameBytes = 900

/** What is wrong with the name of an uploaded file, which becomes part of an object key; undefined if nothing is. */
export function fileNameIssue(filename: string): string | undefined {
  if (!pattern.test(filename))
    return 'must be a file name of 1 to 255 characters, without a path, control characters, U+FFFE or U+FFFF'
  // Addresses are normalised on their way: these two would lead elsewhere.
  if (/^\.{1,2}$/.test(filename)) return 'must be the name of a file'
  if (Buffer.byteLength(filename) > maxNameBytes) return `must be at most ${maxNameBytes} bytes long`
  return undefined
}

/** Parameters such as codecs are of no use here, and need not survive a header. */
export const plainType = (contentType: string): string => contentType.replace(/;.*/s, '').trim().toLowerCase()

export const isVideoType = (contentType: string): boolean =>
  /^video\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(plainType(contentType))

/** V3 */
export function refuseFile({ filename, contentType, fileSize }: FileFacts, maxBytes: number): void {
  const nameIssue = fileNameIssue(filename)
  if (nameIssue) throw validationFailed([{ path: '/filename', message: nameIssue }])
  if (!isVideoType(contentType))
    throw validationFailed([{ path: '/contentType', message: 'must be a video type, such as video/mp4' }])
  if (fileSize > maxBytes)
    throw validationFailed([
      { path: '/fileSize', message: `is ${fileSize}, but this server takes at most ${maxBytes} bytes` },
    ])
}

/** Names and types of files that are uploaded in one request; the rest is checked while the file arrives. */
export function refuseFileFacts({ filename, contentType }: Omit<FileFacts, 'fileSize'>): void {
  const nameIssue = fileNameIssue(filename)
  if (nameIssue) throw validationFailed([{ path: '/file', message: `its name ${nameIssue}` }])
  if (!isVideoType(contentType))
    throw validationFailed([
      { path: '/file', message: 'must have a video type, such as Content-Type: video/mp4' },
    ])
}

export const maxDirectBytes = (maxBytes: number): number => Math.min(maxBytes, limits.uploadPartBytes)

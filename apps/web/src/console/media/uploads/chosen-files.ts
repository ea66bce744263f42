import { limits, type VideoRecord } from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import type { UnfinishedUpload } from './video-uploads.ts'

type FileFacts = Pick<File, 'name' | 'size' | 'type'>

/** Browsers take the type from the system, which often does not know these. */
const typesByExtension: Readonly<Record<string, string>> = {
  avi: 'video/x-msvideo',
  m2ts: 'video/mp2t',
  m4v: 'video/x-m4v',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  mts: 'video/mp2t',
  ogv: 'video/ogg',
  webm: 'video/webm',
  wmv: 'video/x-ms-wmv',
}

/** For the file dialog: all videos, including those whose type the browser does not know. */
export const acceptedFiles = [
  'video/*',
  ...Object.keys(typesByExtension).map((extension) => `.${extension}`),
].join(',')

/** Undefined for files that are not videos. */
export function contentTypeOf({ name, type }: Pick<FileFacts, 'name' | 'type'>): string | undefined {
  if (type.startsWith('video/')) return type
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined
}

/** Why a file is not uploaded; undefined if it can be. The platform checks it again. */
export function objectionTo(file: FileFacts): string | undefined {
  const text = texts().mediaUploads.objections
  if (contentTypeOf(file) === undefined) return text.notVideo(file.name)
  if (file.size === 0) return text.empty(file.name)
  if (file.size > limits.videoBytes) return text.tooLarge(file.name, limits.videoBytes)
  return undefined
}

/** The unfinished upload that a file continues: the one with its name and size. */
export function unfinishedUploadOf(
  { name, size }: FileFacts,
  videos: readonly VideoRecord[],
): UnfinishedUpload | undefined {
  const found = videos.find(
    (video) => video.isOwn && video.filename === name && video.size === size && video.uploadId,
  )
  return found && resumable(found)
}

export const resumable = ({ videoId, uploadId, storageKey }: VideoRecord): UnfinishedUpload | undefined =>
  uploadId === null ? undefined : { videoId, uploadId, key: storageKey }

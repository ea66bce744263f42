import { type BegunUpload, videoEndings, videoTypeOf } from '@atrium/client'
import { limits, type VideoRecord } from '@atrium/contract'
import { texts } from '../../../text/console.ts'

type FileFacts = Pick<File, 'name' | 'size' | 'type' | 'lastModified'>

/** For the file dialog: all videos, including those whose type the browser does not know. */
export const acceptedFiles = ['video/*', ...videoEndings.map((ending) => `.${ending}`)].join(',')

/** Why a file is not uploaded; undefined if it can be. The platform checks it again. */
export function objectionTo(file: FileFacts): string | undefined {
  const text = texts().mediaUploads.objections
  if (videoTypeOf(file) === undefined) return text.notVideo(file.name)
  if (file.size === 0) return text.empty(file.name)
  if (file.size > limits.videoBytes) return text.tooLarge(file.name, limits.videoBytes)
  return undefined
}

/**
 * Whether a file can be the one whose upload is not finished. One that was changed after the upload began is another
 * one, and their parts must not be mixed.
 */
export const isFileOf = ({ name, size, lastModified }: FileFacts, video: VideoRecord): boolean =>
  video.filename === name && video.size === size && lastModified <= Date.parse(video.createdAt)

/** The unfinished upload that a file continues. */
export function unfinishedUploadOf(file: FileFacts, videos: readonly VideoRecord[]): BegunUpload | undefined {
  const found = videos.find((video) => video.isOwn && video.uploadId && isFileOf(file, video))
  return found && resumable(found)
}

export const resumable = ({ videoId, uploadId, storageKey }: VideoRecord): BegunUpload | undefined =>
  uploadId === null ? undefined : { videoId, uploadId, key: storageKey }

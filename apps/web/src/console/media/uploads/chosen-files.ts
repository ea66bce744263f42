import { type BegunUpload, isMediaFile, mediaEndings, videoEndings, videoTypeOf } from '@atrium/client'
import { limits, type VideoRecord } from '@atrium/contract'
import { texts } from '../../../text/console.ts'

type FileFacts = Pick<File, 'name' | 'size' | 'type' | 'lastModified'>

const withDots = (endings: readonly string[]) => endings.map((ending) => `.${ending}`)

/** For the file dialog: all videos, including those whose type the browser does not know. */
export const acceptedVideos = ['video/*', ...withDots(videoEndings)].join(',')
export const acceptedFiles = [acceptedVideos, ...withDots(mediaEndings)].join(',')

/** Everything else is a picture, a sound or a ZIP of them. */
export const isForVideos = (file: FileFacts): boolean => videoTypeOf(file) !== undefined

/** Why a file is not uploaded; undefined if it can be. The platform checks it again. */
export function objectionTo(file: FileFacts): string | undefined {
  const text = texts().mediaUploads.objections
  if (!isForVideos(file) && !isMediaFile(file)) return text.notMedia(file.name)
  if (file.size === 0) return text.empty(file.name)
  const maxBytes = maxBytesOf(file)
  return file.size > maxBytes ? text.tooLarge(file.name, maxBytes) : undefined
}

function maxBytesOf(file: FileFacts): number {
  if (isForVideos(file)) return limits.videoBytes
  return /\.zip$/i.test(file.name) ? maxZipBytes : limits.media.fileBytes
}

/** Of a request, less what the form around the ZIP needs. */
const maxZipBytes = limits.uploadPartBytes - 4_096

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

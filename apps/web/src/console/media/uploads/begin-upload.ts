import {
  type BegunUpload,
  NoAnswer,
  type Upload,
  UploadFailed,
  type UploadMemory,
  type UploadProgress,
  uploadMedia,
  uploadVideo,
} from '@atrium/client'
import { texts } from '../../../text/console.ts'
import type { Api } from '../../session/authorised-api.ts'
import type { MediaBatch, Uploadable } from './media-batch.ts'

export interface BeginOptions {
  /** Continues this upload instead of beginning a new one. */
  unfinished: BegunUpload | undefined
  onBegun(upload: BegunUpload): void
  onProgress(progress: UploadProgress): void
}

export type Sending = Omit<Upload, 'done'> & { readonly done: Promise<unknown> }

/** Starts to send a file; the queue decides when. */
export type BeginUpload = (file: Uploadable, options: BeginOptions) => Sending

/** The platform's own list says which uploads are unfinished, on every computer; a browser may have several users. */
const forgetful: UploadMemory = { recall: () => null, keep: () => undefined, forget: () => undefined }

export const beginUploadWith =
  (api: Api): BeginUpload =>
  (file, options) => {
    const access = { baseUrl: location.origin, getIdToken: api.idToken }
    return file instanceof File
      ? uploadVideo(file, { ...options, ...access, memory: forgetful })
      : sendBatch(file, { ...access, onProgress: options.onProgress })
  }

/** One request, which begins anew when it is tried again: nothing of it can be kept. */
function sendBatch({ files }: MediaBatch, options: Parameters<typeof uploadMedia>[1]): Sending {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  return {
    done: uploadMedia(files, { ...options, signal: stopped.signal }),
    pause: stop,
    resume: () => undefined,
    abort: async () => stop(),
  }
}

/** What to tell the person about an upload that failed. */
export function uploadFailureMessage(error: unknown): string {
  const isSilence = [error, error instanceof UploadFailed && error.cause].some(
    (thrown) => thrown instanceof NoAnswer,
  )
  if (isSilence) return texts().mediaUploads.connectionLost
  return error instanceof Error ? error.message : texts().feedback.unexpected
}

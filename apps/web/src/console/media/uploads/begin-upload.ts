import {
  type BegunUpload,
  NoAnswer,
  type Upload,
  UploadFailed,
  type UploadMemory,
  type UploadProgress,
  uploadVideo,
} from '@atrium/client'
import { texts } from '../../../text/console.ts'
import type { Api } from '../../session/authorised-api.ts'

export interface BeginOptions {
  /** Continues this upload instead of beginning a new one. */
  unfinished: BegunUpload | undefined
  onBegun(upload: BegunUpload): void
  onProgress(progress: UploadProgress): void
}

/** Starts to send a file; the queue decides when. */
export type BeginUpload = (file: File, options: BeginOptions) => Upload

/** The platform's own list says which uploads are unfinished, on every computer; a browser may have several users. */
const forgetful: UploadMemory = { recall: () => null, keep: () => undefined, forget: () => undefined }

export const beginUploadWith =
  (api: Api): BeginUpload =>
  (file, options) =>
    uploadVideo(file, {
      ...options,
      baseUrl: location.origin,
      getIdToken: (wish) => api.idToken(wish),
      memory: forgetful,
    })

/** What to tell the person about an upload that failed. */
export function uploadFailureMessage(error: unknown): string {
  const isSilence = [error, error instanceof UploadFailed && error.cause].some(
    (thrown) => thrown instanceof NoAnswer,
  )
  if (isSilence) return texts().mediaUploads.connectionLost
  return error instanceof Error ? error.message : texts().feedback.unexpected
}

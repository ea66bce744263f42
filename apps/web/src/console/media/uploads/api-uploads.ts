import { limits, uploadRoutes, videoRoutes } from '@atrium/contract'
import { CallFailed } from '../../../api/call.ts'
import type { Api } from '../../session/authorised-api.ts'
import { contentTypeOf } from './chosen-files.ts'
import { createPausable } from './pausable.ts'
import { sendBytes } from './send-bytes.ts'
import { sendParts } from './send-parts.ts'
import type { RunningUpload, UnfinishedUpload, UploadOptions, VideoUploads } from './video-uploads.ts'

/** Sends small files in one request, and larger ones in parts that are kept when the browser is closed. */
export const createApiUploads = (api: Api): VideoUploads => ({
  begin: (file, options) =>
    file.size <= limits.uploadPartBytes && !options.unfinished
      ? sendWhole(api, file, options)
      : sendInParts(api, file, options),
})

function sendWhole(api: Api, file: File, { onProgress }: UploadOptions): RunningUpload {
  const form = new FormData()
  // Browsers do not know the type of every video; the platform accepts no other files.
  form.set('file', new File([file], file.name, { type: contentTypeOf(file) ?? file.type }))
  let videoId: string | undefined
  const send = async (idToken: string, signal: AbortSignal) => {
    const { method, path } = uploadRoutes.direct
    const headers = { authorization: `Bearer ${idToken}` }
    // The form is a little larger than the file.
    const report = (sentBytes: number) => onProgress(Math.min(sentBytes, file.size))
    const { responseText } = await sendBytes({
      method,
      url: path,
      body: form,
      headers,
      signal,
      onProgress: report,
    })
    videoId = String(JSON.parse(responseText).videoId)
    return videoId
  }
  return createPausable({
    attempt: async (signal) =>
      await send(await api.idToken(), signal).catch(async (error: unknown) => {
        if (!(error instanceof CallFailed && error.status === 401)) throw error
        return await send(await api.idToken({ isRefresh: true }), signal)
      }),
    // Cancelled when the last byte was already there.
    remove: async () => void (videoId && (await api.call(videoRoutes.remove, { params: { videoId } }))),
  })
}

const hasCode = (error: unknown, code: string): boolean => error instanceof CallFailed && error.code === code

function sendInParts(api: Api, file: File, options: UploadOptions): RunningUpload {
  const { onBegun, onProgress } = options
  let upload = options.unfinished
  const begin = async (): Promise<UnfinishedUpload> => {
    const body = {
      filename: file.name,
      contentType: contentTypeOf(file) ?? file.type,
      fileSize: file.size,
    }
    // Without the signal: an upload that is paused while it begins must not be begun twice.
    const { videoId, uploadId, key } = await api.call(uploadRoutes.initiate, { body })
    return { videoId, uploadId, key }
  }
  return createPausable({
    async attempt(signal) {
      upload ??= await begin()
      onBegun(upload)
      await sendParts(api, file, upload, { signal, onProgress })
      return upload.videoId
    },
    async remove() {
      if (!upload) return
      const { videoId, uploadId, key } = upload
      await api.call(uploadRoutes.abort, { body: { uploadId, key } }).catch(async (error: unknown) => {
        if (hasCode(error, 'UPLOAD_COMPLETED')) await api.call(videoRoutes.remove, { params: { videoId } })
        else if (!hasCode(error, 'UPLOAD_NOT_FOUND')) throw error
      })
    },
  })
}

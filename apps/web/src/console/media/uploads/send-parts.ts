import { limits, uploadRoutes, videoRoutes } from '@atrium/contract'
import { CallFailed } from '../../../api/call.ts'
import type { Api } from '../../session/authorised-api.ts'
import { sendBytes } from './send-bytes.ts'
import type { UnfinishedUpload } from './video-uploads.ts'

interface SendPartsOptions {
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

interface Part {
  partNumber: number
  from: number
  to: number
}

interface StoredPart {
  partNumber: number
  etag: string
}

const partBytes = limits.uploadPartBytes
/** A part is given up after about a minute without a network. */
const retryDelaysMs = [1_000, 4_000, 15_000, 40_000]

const partsOf = (size: number): Part[] =>
  Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => ({
    partNumber: index + 1,
    from: index * partBytes,
    to: Math.min(size, (index + 1) * partBytes),
  }))

/** Sends the parts that the platform does not have yet, one after the other, and completes the upload. */
export async function sendParts(
  api: Api,
  file: File,
  upload: UnfinishedUpload,
  { signal, onProgress }: SendPartsOptions,
): Promise<void> {
  const { uploadId, key } = upload
  const kept = await storedParts(api, upload, signal)
  if (kept === 'complete') return
  const parts: StoredPart[] = []
  let sentBytes = 0
  for (const part of partsOf(file.size)) {
    const bytes = part.to - part.from
    const known = kept.find(({ partNumber, size }) => partNumber === part.partNumber && size === bytes)
    const before = sentBytes
    parts.push(
      known ??
        (await sendPart(api, file, upload, part, {
          signal,
          onProgress: (sent) => onProgress(before + sent),
        })),
    )
    sentBytes += bytes
    onProgress(sentBytes)
  }
  const named = parts.map(({ etag, partNumber }) => ({ etag, partNumber }))
  await api.call(uploadRoutes.complete, { body: { uploadId, key, parts: named }, signal })
}

/** The upload may have been completed although its answer was lost: then there is nothing to send. */
async function storedParts(api: Api, { videoId, uploadId, key }: UnfinishedUpload, signal: AbortSignal) {
  try {
    return (await api.call(uploadRoutes.parts, { query: { uploadId, key }, signal })).parts
  } catch (error) {
    if (!(error instanceof CallFailed && error.code === 'UPLOAD_NOT_FOUND')) throw error
    const record = await api.call(videoRoutes.read, { params: { videoId }, signal }).catch(() => undefined)
    if (record?.uploadId === null) return 'complete'
    throw error
  }
}

async function sendPart(
  api: Api,
  file: File,
  { uploadId, key }: UnfinishedUpload,
  { partNumber, from, to }: Part,
  options: SendPartsOptions,
): Promise<StoredPart> {
  for (let attempt = 0; ; attempt++) {
    try {
      // Signed when it is needed: the addresses of a large file would expire before its last part is sent.
      const body = { uploadId, key, partNumbers: [partNumber] }
      const { presignedUrls } = await api.call(uploadRoutes.sign, { body, signal: options.signal })
      const url = presignedUrls[0]?.url ?? ''
      const answer = await sendBytes({ method: 'PUT', url, body: file.slice(from, to), ...options })
      return { partNumber, etag: answer.getResponseHeader('etag') ?? '' }
    } catch (error) {
      const delayMs = retryDelaysMs[attempt]
      if (options.signal.aborted || delayMs === undefined || isFinal(error)) throw error
      await wait(delayMs, options.signal)
    }
  }
}

/** What the platform refuses stays refused; object stores refuse without one of our codes, and that may pass. */
const isFinal = (error: unknown): boolean =>
  error instanceof CallFailed &&
  !['NO_ANSWER', 'UNKNOWN', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'].includes(error.code)

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })

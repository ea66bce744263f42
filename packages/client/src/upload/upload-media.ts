import { limits, mediaRoutes, type UploadedMedia } from '@atrium/contract'
import { parseRetryAfter, retryDelayMs } from '../backoff.ts'
import { systemClock } from '../clock.ts'
import { ApiRefused, asError, UploadAborted, UploadFailed } from '../errors.ts'
import { dataOf } from '../http.ts'
import { newId } from '../ids.ts'
import { callSafely } from '../listeners.ts'
import { withIdToken } from '../session.ts'
import { sendBody } from './blob-source.ts'
import { formPartHead } from './form-part.ts'
import { sendWatched } from './sending.ts'
import { maxFailures, mayPass, restFor } from './upload-api.ts'
import type { UploadRequest } from './upload-source.ts'
import type { UploadOptions } from './upload-video.ts'

/** A picture, a sound or a ZIP of them, with its bytes where they are: they are read when they are sent. */
export type MediaFileLike = Blob & { readonly name: string }

export type MediaUploadOptions = Pick<
  UploadOptions,
  'baseUrl' | 'getIdToken' | 'onProgress' | 'signal' | 'clock' | 'random'
>

/** What the form adds to each file: a boundary, a name of at most 255 characters, a type. */
const formBytesPerFile = 2_048

/** Files in as few requests as possible, in their order. Each request is taken as a whole or not at all. */
export function mediaBatches<One extends { readonly size: number }>(files: readonly One[]): One[][] {
  const batches: One[][] = []
  let bytes = 0
  for (const file of files) {
    const batch = batches.at(-1)
    const added = file.size + formBytesPerFile
    const fits =
      batch && bytes + added <= limits.uploadPartBytes && batch.length < limits.media.filesPerUpload
    if (fits) batch.push(file)
    else batches.push([file])
    bytes = fits ? bytes + added : added
  }
  return batches
}

/**
 * R67: uploads pictures and sounds in one request, as `mediaBatches` divides them. Resolves with what the platform has
 * stored; rejects with ApiRefused, UploadFailed, or UploadAborted once the signal says stop. Repeating it is safe.
 */
export async function uploadMedia(
  files: readonly MediaFileLike[],
  options: MediaUploadOptions,
): Promise<UploadedMedia['media']> {
  const { clock = systemClock, random = Math.random } = options
  const signal = options.signal ?? new AbortController().signal
  for (let failures = 1; ; failures++) {
    if (signal.aborted) throw new UploadAborted()
    try {
      const { media } = await withIdToken(options.getIdToken, (headers) =>
        attempt(files, headers, { ...options, clock, signal }),
      )
      return media
    } catch (error) {
      if (signal.aborted) throw new UploadAborted()
      if (error instanceof ApiRefused && !mayPass(error)) throw error
      if (failures >= maxFailures) throw new UploadFailed(asError(error).message, { cause: error })
      tell(options, { kind: 'retrying', files, because: asError(error).message })
      const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
      await restFor(clock, retryDelayMs(failures, retryAfterMs, random), signal)
    }
  }
}

async function attempt(
  files: readonly MediaFileLike[],
  headers: Record<string, string>,
  options: MediaUploadOptions & Required<Pick<MediaUploadOptions, 'clock' | 'signal'>>,
): Promise<UploadedMedia> {
  const { baseUrl, clock, signal } = options
  const { path, method, envelope } = mediaRoutes.upload
  const boundary = `----atrium${newId()}`
  const form = formOf(files, boundary)
  const url = baseUrl.replace(/\/+$/, '') + path
  const request: UploadRequest = {
    ...{ method, url, from: 0, to: bytesOf(files) },
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
  const source = {
    send: (sent: UploadRequest, watch: Parameters<typeof sendBody>[2]) => sendBody(sent, form, watch),
  }
  const onSent = (sentBytes: number) => tell(options, { kind: 'uploading', files, sentBytes })
  const answer = await sendWatched(source, request, { clock, signal, onSent })
  const retryAfterMs = parseRetryAfter(answer.retryAfter, clock.now())
  return dataOf<typeof mediaRoutes.upload>(envelope, answer.status, answer.text, retryAfterMs)
}

/**
 * The bytes of the files stay where they are. Not FormData: when a request with one is called off, the `fetch` of Node 24
 * throws where nobody can catch it.
 */
function formOf(files: readonly MediaFileLike[], boundary: string): Blob {
  const parts = files.flatMap((file) => [formPartHead(boundary, file.name, octets), file, '\r\n'])
  return new Blob([...parts, `--${boundary}--\r\n`])
}

/** What they are, their bytes say. */
const octets = 'application/octet-stream'

interface News {
  kind: 'uploading' | 'retrying'
  files: readonly MediaFileLike[]
  sentBytes?: number
  because?: string
}

function tell({ onProgress }: MediaUploadOptions, { kind, files, sentBytes = 0, because }: News): void {
  const progress = { kind, sentBytes, totalBytes: bytesOf(files) }
  callSafely(() => onProgress?.(because === undefined ? progress : { ...progress, because }))
}

const bytesOf = (files: readonly MediaFileLike[]): number => files.reduce((sum, { size }) => sum + size, 0)

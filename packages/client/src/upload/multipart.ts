import { parseRetryAfter, retryDelayMs } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ApiRefused, asError, UploadFailed } from '../errors.ts'
import { createPartAddresses } from './part-addresses.ts'
import { messageIn, sendWatched } from './sending.ts'
import { maxFailures, restFor, type UploadApi } from './upload-api.ts'
import type { BegunUpload, memoryOf } from './upload-memory.ts'
import type { UploadAnswer, UploadSource } from './upload-source.ts'

export interface MultipartDeps {
  source: UploadSource
  contentType: string
  baseUrl: string
  partBytes: number
  api: UploadApi
  /** As that of `api`, but only an abort calls it off. */
  initiate: UploadApi['initiate']
  memory: ReturnType<typeof memoryOf>
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** How many bytes of a part are on their way or stored. */
  onPart(partNumber: number, bytes: number): void
  onTrouble(because: string): void
  onFinishing(): void
  onBegun(upload: BegunUpload): void
}

/** More would only share the same line; fewer leave it idle between two parts. */
const atOnce = 4
/** Object stores use these for what passes: 400 for a slow request, 409 for one that overlapped another. */
const passing = new Set([400, 403, 408, 409, 425, 429])

/** Uploads what is missing, then completes. Begins where an earlier attempt stopped. */
export async function uploadInParts(deps: MultipartDeps): Promise<{ videoId: string; key: string }> {
  const { source, partBytes, memory } = deps
  const begun = await begin(deps)
  deps.onBegun(begun.upload)
  if (!begun.isComplete) {
    const missing = range(Math.ceil(source.size / partBytes)).filter((part) => !begun.etags.has(part))
    await uploadAll(deps, begun, missing)
    deps.onFinishing()
    await complete(deps, begun)
  }
  await memory.forget()
  return { videoId: begun.upload.videoId, key: begun.upload.key }
}

async function complete(deps: MultipartDeps, { upload, etags }: Begun): Promise<void> {
  // A store that does not show its ETags to browsers still lists them.
  if ([...etags.values()].includes('')) await listStored(deps, upload, etags)
  const parts = [...etags].map(([partNumber, etag]) => ({ partNumber, etag }))
  await deps.api.complete(
    upload,
    parts.toSorted((one, other) => one.partNumber - other.partNumber),
  )
}

interface Begun {
  upload: BegunUpload
  /** Of the parts that are stored. */
  etags: Map<number, string>
  addresses: ReturnType<typeof createPartAddresses>
  isComplete: boolean
}

async function begin(deps: MultipartDeps): Promise<Begun> {
  const { api, initiate, memory, source, clock, contentType } = deps
  const recalled = await memory.recall()
  if (recalled) {
    const resumed = await resume(deps, recalled)
    if (resumed) return resumed
    await memory.forget()
  }
  const { presignedUrls, ...upload } = await initiate({
    filename: source.name,
    contentType,
    fileSize: source.size,
  })
  await memory.keep({ videoId: upload.videoId, uploadId: upload.uploadId, key: upload.key })
  const addresses = createPartAddresses(api, upload, clock)
  addresses.take(presignedUrls)
  return { upload, etags: new Map(), addresses, isComplete: false }
}

/** Undefined if there is nothing left to resume. */
async function resume(deps: MultipartDeps, upload: BegunUpload): Promise<Begun | undefined> {
  const { api, clock } = deps
  const begun = {
    upload,
    etags: new Map<number, string>(),
    addresses: createPartAddresses(api, upload, clock),
  }
  try {
    await listStored(deps, upload, begun.etags)
    return { ...begun, isComplete: false }
  } catch (error) {
    if (!isNotFound(error)) throw error
    // The reply to `complete` may have been lost: then the video is there, and no upload is.
    const video = await api.video(upload.videoId).catch((failure: unknown) => {
      if (isNotFound(failure)) return undefined
      throw failure
    })
    return video?.uploadId === null ? { ...begun, isComplete: true } : undefined
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof ApiRefused && (error.code === 'UPLOAD_NOT_FOUND' || error.code === 'VIDEO_NOT_FOUND')

/** A part of the wrong size is left over from something else and is sent again. */
async function listStored(
  deps: MultipartDeps,
  upload: BegunUpload,
  etags: Map<number, string>,
): Promise<void> {
  for (const { partNumber, etag, size } of (await deps.api.parts(upload)).parts) {
    const { from, to } = bytesOf(deps, partNumber)
    if (size !== to - from) continue
    etags.set(partNumber, etag)
    deps.onPart(partNumber, size)
  }
}

async function uploadAll(deps: MultipartDeps, begun: Begun, missing: number[]): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([deps.signal, stop.signal])
  const queue = [...missing]
  async function work(): Promise<void> {
    for (let part = queue.shift(); part !== undefined; part = queue.shift())
      begun.etags.set(part, await uploadPart({ ...deps, signal }, begun, part, queue))
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } catch (error) {
    stop.abort() // The other parts in flight, too.
    throw error
  }
}

async function uploadPart(
  deps: MultipartDeps,
  { addresses, upload }: Begun,
  part: number,
  upcoming: readonly number[],
): Promise<string> {
  const { source, baseUrl, clock, random, signal } = deps
  for (let failures = 1; ; failures++) {
    if (signal.aborted) throw new UploadFailed('stopped')
    const url = new URL(await addresses.of(part, upcoming), baseUrl).href
    const answer = await sendWatched(
      source,
      { method: 'PUT', url, headers: {}, ...bytesOf(deps, part) },
      { clock, signal, onSent: (bytes) => deps.onPart(part, bytes) },
    ).catch((error: unknown) => {
      if (error instanceof UploadFailed || signal.aborted) throw error
      return asError(error)
    })
    if (!(answer instanceof Error) && answer.status < 300) return answer.etag ?? ''
    deps.onPart(part, 0)
    const because = answer instanceof Error ? answer.message : refusalOf(answer)
    // An upload that was removed: the platform says so better than the store.
    if (!(answer instanceof Error) && answer.status === 404) await deps.api.parts(upload)
    if (failures >= maxFailures || isFinal(answer)) throw new UploadFailed(because)
    if (!(answer instanceof Error) && answer.status === 403) addresses.refuse(part)
    deps.onTrouble(because)
    await restFor(clock, retryDelayMs(failures, retryAfterMsOf(answer, clock), random), signal)
  }
}

const isFinal = (answer: UploadAnswer | Error): boolean =>
  !(answer instanceof Error) &&
  (answer.status === 507 || (answer.status < 500 && !passing.has(answer.status)))

const refusalOf = ({ status, text }: UploadAnswer): string =>
  messageIn(text) ?? `The object store answered with status ${status}.`

const retryAfterMsOf = (answer: UploadAnswer | Error, clock: Clock): number | undefined =>
  answer instanceof Error ? undefined : parseRetryAfter(answer.retryAfter, clock.now())

/** Parts are counted from 1. */
function bytesOf({ source, partBytes }: MultipartDeps, part: number): { from: number; to: number } {
  const from = (part - 1) * partBytes
  return { from, to: Math.min(source.size, from + partBytes) }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

import { limits } from '@atrium/contract'
import { type Clock, systemClock } from '../clock.ts'
import { ApiRefused, UploadAborted, UploadFailed } from '../errors.ts'
import type { Fetch } from '../http.ts'
import { callSafely } from '../listeners.ts'
import type { GetIdToken } from '../session.ts'
import { userAgentOf } from '../user-agent.ts'
import { type FileLike, fileSource } from './blob-source.ts'
import { uploadDirectly } from './direct.ts'
import { uploadInParts } from './multipart.ts'
import { createUploadApi, type UploadApi } from './upload-api.ts'
import { type BegunUpload, browserMemory, memoryOf, type UploadMemory } from './upload-memory.ts'
import { type UploadSource, videoTypeOf } from './upload-source.ts'

export interface UploadProgress {
  /** `retrying`: something failed and is tried again; `finishing`: everything is sent, and the server puts it together. */
  kind: 'uploading' | 'retrying' | 'paused' | 'finishing' | 'done'
  sentBytes: number
  totalBytes: number
  /** Why something is tried again. */
  because?: string
}

export interface UploadOptions {
  /** URL of the platform, e.g. https://lab.example.org. */
  baseUrl: string
  /** Returns an ID token of a researcher; `isRefresh` is set when the previous one was refused. */
  getIdToken: GetIdToken
  onProgress?(progress: UploadProgress): void
  /** Continues this upload in parts, which may have begun elsewhere, instead of what `memory` remembers. */
  unfinished?: BegunUpload | undefined
  /** Called once an upload in parts has begun or been resumed, and again after a pause. */
  onBegun?(upload: BegunUpload): void
  /** Stops the upload. What is stored stays, and uploading the same file again resumes it. */
  signal?: AbortSignal
  /** Remembers uploads across reloads. localStorage in browsers by default, nothing elsewhere. */
  memory?: UploadMemory
  fetch?: Fetch
  clock?: Clock
  /** In [0, 1), for jitter. */
  random?: () => number
  /** For programs only; browsers send their own. */
  userAgent?: string
}

export interface Upload {
  /**
   * Resolves once the server has the whole file; transcoding follows. Rejects with UploadFailed or ApiRefused if that
   * is not possible now, with UploadAborted if it was stopped.
   */
  readonly done: Promise<{ videoId: string; key: string }>
  /** Parts that are on their way are sent again later. */
  pause(): void
  resume(): void
  /** Stops, and removes what has been stored. Does nothing once the upload is done. */
  abort(): Promise<void>
}

/** R31: uploads a video: small files in one request, others in parts of 100 MiB, four at once. */
export const uploadVideo = (file: FileLike, options: UploadOptions): Upload =>
  startUpload(fileSource(file), options)

/** As `uploadVideo`, from any source. Tests have smaller parts. */
export function startUpload(
  source: UploadSource,
  options: UploadOptions,
  partBytes: number = limits.uploadPartBytes,
): Upload {
  const { getIdToken, clock = systemClock, random = Math.random } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const stopped = new AbortController()
  const memory = memoryOf(options.memory ?? browserMemory(), baseUrl, source, options.unfinished)
  const sent = new Map<number, number>()
  let kind: UploadProgress['kind'] = 'uploading'
  let pausing: { run: AbortController; resumed: PromiseWithResolvers<void> | undefined } | undefined

  const apiWith = (signal: AbortSignal) =>
    createUploadApi({
      baseUrl,
      getIdToken,
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      clock,
      random,
      userAgent: userAgentOf(options),
      signal,
    })

  function tell(news: UploadProgress['kind'], because?: string): void {
    kind = news
    const sentBytes = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0)
    const progress = { kind, sentBytes, totalBytes: source.size }
    callSafely(() => options.onProgress?.(because === undefined ? progress : { ...progress, because }))
  }

  function note(part: number, bytes: number): void {
    sent.set(part, bytes)
    tell('uploading')
  }

  async function attempt(signal: AbortSignal): Promise<{ videoId: string; key: string }> {
    const contentType = contentTypeOf(source)
    sent.clear()
    const shared = {
      source,
      contentType,
      baseUrl,
      clock,
      random,
      signal,
      api: apiWith(signal),
      onTrouble: (because: string) => tell('retrying', because),
    }
    if (source.size <= partBytes && !options.unfinished)
      return await uploadDirectly({ ...shared, getIdToken, onSent: (bytes) => note(1, bytes) })
    return await uploadInParts({
      ...shared,
      partBytes,
      memory,
      // Not called off by a pause: resumed, it would begin a second upload of the same file.
      initiate: (body) => apiWith(stopped.signal).initiate(body),
      onPart: note,
      onFinishing: () => tell('finishing'),
      onBegun: (upload) => callSafely(() => options.onBegun?.(upload)),
    })
  }

  /** A pause ends an attempt, and going on begins another one: exactly as after a reload. */
  async function run(): Promise<{ videoId: string; key: string }> {
    for (;;) {
      const current: NonNullable<typeof pausing> = { run: new AbortController(), resumed: undefined }
      pausing = current
      try {
        const result = await attempt(AbortSignal.any([stopped.signal, current.run.signal]))
        tell('done')
        return result
      } catch (error) {
        if (stopped.signal.aborted) throw new UploadAborted()
        if (!current.resumed) throw error
        await current.resumed.promise
        if (stopped.signal.aborted) throw new UploadAborted()
      }
    }
  }

  function stop(): void {
    stopped.abort()
    pausing?.resumed?.resolve()
  }

  options.signal?.addEventListener('abort', stop)
  if (options.signal?.aborted) stop()
  const done = run().finally(() => options.signal?.removeEventListener('abort', stop))
  // Whoever calls `abort` need not look at `done`.
  done.catch(() => undefined)
  return {
    done,
    pause() {
      if (!pausing || pausing.resumed || kind === 'done') return
      pausing.resumed = Promise.withResolvers()
      pausing.run.abort()
      tell('paused')
    },
    resume: () => pausing?.resumed?.resolve(),
    async abort() {
      if (kind === 'done') return
      stop()
      const stored = await done.catch(() => undefined)
      const api = apiWith(new AbortController().signal)
      // The last reply was faster.
      if (stored) return void (await api.remove(stored.videoId))
      const begun = await memory.recall()
      if (!begun) return
      await discard(api, begun)
      await memory.forget()
    },
  }
}

/** The server may have completed the upload although its reply was not awaited, or swept it. */
async function discard(api: UploadApi, begun: BegunUpload): Promise<void> {
  await api.abort(begun).catch(async (error: unknown) => {
    const code = error instanceof ApiRefused ? error.code : undefined
    if (code === 'UPLOAD_COMPLETED') await api.remove(begun.videoId)
    else if (code !== 'UPLOAD_NOT_FOUND') throw error
  })
}

function contentTypeOf(source: UploadSource): string {
  if (source.size === 0) throw new UploadFailed(`${source.name} is empty.`)
  const type = videoTypeOf(source)
  if (type === undefined) throw new UploadFailed(`${source.name} is not a video that the platform knows.`)
  return type
}

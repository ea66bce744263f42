import { type CalledRoute, uploadRoutes, videoRoutes } from '@atrium/contract'
import { retryDelayMs } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ApiRefused } from '../errors.ts'
import { type Call, createHttp, type DataOf, type Fetch } from '../http.ts'
import { type GetIdToken, withIdToken } from '../session.ts'
import { isPassing } from '../verdict.ts'
import type { BegunUpload } from './upload-memory.ts'

export interface UploadApiDeps {
  baseUrl: string
  getIdToken: GetIdToken
  fetch: Fetch
  clock: Clock
  random: () => number
  userAgent: string | undefined
  signal: AbortSignal
}

/** About two minutes, with the usual back-off. After that somebody has to look, and resumes later. */
export const maxFailures = 10
/** An object store may put the parts of a large file together only now. Repeating the request is safe. */
const completePatienceMs = 600_000

/** A full disk stays full until somebody makes room. */
export const mayPass = (error: unknown): boolean =>
  isPassing(error) && !(error instanceof ApiRefused && error.code === 'STORAGE_FULL')

export type UploadApi = ReturnType<typeof createUploadApi>

/** The routes that an upload needs, each repeated while the server or the network has a problem of its own. */
export function createUploadApi({ getIdToken, signal, ...deps }: UploadApiDeps) {
  const { clock, random } = deps
  const http = createHttp({ ...deps, closing: signal })

  async function call<Called extends CalledRoute>(
    route: Called,
    more: Omit<Call, 'headers'> = {},
  ): Promise<DataOf<Called>> {
    for (let failures = 1; ; failures++) {
      try {
        return await withIdToken(getIdToken, (headers) => http(route, { ...more, headers }))
      } catch (error) {
        if (signal.aborted || !mayPass(error) || failures >= maxFailures) throw error
        const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
        await restFor(clock, retryDelayMs(failures, retryAfterMs, random), signal)
      }
    }
  }

  const of = ({ uploadId, key }: BegunUpload) => ({ uploadId, key })
  return {
    initiate: (body: { filename: string; contentType: string; fileSize: number }) =>
      call(uploadRoutes.initiate, { body }),
    sign: (begun: BegunUpload, partNumbers: number[]) =>
      call(uploadRoutes.sign, { body: { ...of(begun), partNumbers } }),
    parts: (begun: BegunUpload) => call(uploadRoutes.parts, { query: of(begun) }),
    complete: (begun: BegunUpload, parts: { etag: string; partNumber: number }[]) =>
      call(uploadRoutes.complete, { body: { ...of(begun), parts }, patienceMs: completePatienceMs }),
    abort: (begun: BegunUpload) => call(uploadRoutes.abort, { body: of(begun) }),
    videos: () => call(videoRoutes.list),
    remove: (videoId: string) => call(videoRoutes.remove, { params: { videoId } }),
    video: (videoId: string) => call(videoRoutes.read, { params: { videoId } }),
  }
}

/** Resolves after a while, or at once when the upload is stopped. */
export function restFor(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      callOff()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const callOff = clock.after(delayMs, end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

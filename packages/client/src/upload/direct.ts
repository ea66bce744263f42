import { uploadRoutes } from '@atrium/contract'
import { parseRetryAfter, retryDelayMs } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ApiRefused, asError, UploadFailed } from '../errors.ts'
import { dataOf } from '../http.ts'
import { type GetIdToken, withIdToken } from '../session.ts'
import { sendWatched } from './sending.ts'
import { maxFailures, mayPass, restFor, type UploadApi } from './upload-api.ts'
import type { UploadSource } from './upload-source.ts'

export interface DirectDeps {
  source: UploadSource
  contentType: string
  baseUrl: string
  getIdToken: GetIdToken
  api: UploadApi
  clock: Clock
  random: () => number
  signal: AbortSignal
  onSent(bytes: number): void
  onTrouble(because: string): void
}

/** Clocks of client and server differ by less than this. */
const clocksDifferMs = 120_000

/** Uploads a small file in one request. */
export async function uploadDirectly(deps: DirectDeps): Promise<{ videoId: string; key: string }> {
  const { clock, random, signal, getIdToken } = deps
  const startedAtMs = clock.now()
  for (let failures = 1; ; failures++) {
    const body = { isSent: false }
    try {
      return await withIdToken(getIdToken, (headers) => attempt(deps, headers, body))
    } catch (error) {
      if (signal.aborted || error instanceof UploadFailed) throw error
      if (error instanceof ApiRefused && !mayPass(error)) throw error
      if (failures >= maxFailures) throw new UploadFailed(asError(error).message, { cause: error })
      deps.onSent(0)
      deps.onTrouble(asError(error).message)
      const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
      await restFor(clock, retryDelayMs(failures, retryAfterMs, random), signal)
      // Only the reply may have been lost: a second copy of the video would help nobody.
      const stored = body.isSent && !(error instanceof ApiRefused) && (await findStored(deps, startedAtMs))
      if (stored) return { videoId: stored.videoId, key: stored.storageKey }
    }
  }
}

async function attempt(
  { source, contentType, baseUrl, clock, signal, onSent }: DirectDeps,
  headers: Record<string, string>,
  body: { isSent: boolean },
): Promise<{ videoId: string; key: string }> {
  const route = uploadRoutes.direct
  const answer = await sendWatched(
    source,
    { method: 'POST', url: baseUrl + route.path, headers, from: 0, to: source.size, formType: contentType },
    {
      clock,
      signal,
      onSent(bytes) {
        onSent(bytes)
        body.isSent = bytes >= source.size
      },
    },
  )
  const retryAfterMs = parseRetryAfter(answer.retryAfter, clock.now())
  return dataOf<typeof route>(route.envelope, answer.status, answer.text, retryAfterMs)
}

async function findStored({ api, source, clock }: DirectDeps, startedAtMs: number) {
  const sinceMs = startedAtMs - clocksDifferMs
  const untilMs = clock.now() + clocksDifferMs
  return (await api.videos()).videos.find(({ isOwn, filename, size, uploadId, createdAt }) => {
    const createdAtMs = Date.parse(createdAt)
    const isSame = isOwn && uploadId === null && filename === source.name && size === source.size
    return isSame && createdAtMs >= sinceMs && createdAtMs <= untilMs
  })
}

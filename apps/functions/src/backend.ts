import { type HlsComplete, type HlsSubmitted, internalVideoRoutes } from '@atrium/contract'

/** `gone`: the video has been deleted, so there is nothing to tell any more. */
export type Delivered = 'recorded' | 'gone'

export interface BackendAddress {
  /** BACKEND_URL */
  url: string
  /** INTERNAL_API_KEY */
  key: string
}

const timeoutMs = 10_000
/** More than any answer of ours has. */
const maxAnswerBytes = 65_536

export type Backend = ReturnType<typeof createBackend>

/** The server's internal routes, over HTTP. Every call rejects if the server did not record what it was told. */
export function createBackend({ url, key }: BackendAddress) {
  async function post(path: string, videoId: string, body: unknown): Promise<Delivered> {
    const address = new URL(
      path.replace(':videoId', encodeURIComponent(videoId)).slice(1),
      `${url.replace(/\/+$/, '')}/`,
    )
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-key': key },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await readAnswer(response)
    if (response.ok) return 'recorded'
    // A proxy that does not know the way also answers 404; only the server knows that there is no such video.
    if (response.status === 404 && answer.includes('"VIDEO_NOT_FOUND"')) return 'gone'
    throw new Error(`the server answered ${response.status} to ${path}`)
  }
  return {
    submitted: (videoId: string, body: HlsSubmitted) =>
      post(internalVideoRoutes.hlsSubmitted.path, videoId, body),
    progressed: (videoId: string, body: { jobId: string; progress: number }) =>
      post(internalVideoRoutes.hlsProgress.path, videoId, body),
    completed: (videoId: string, body: HlsComplete) =>
      post(internalVideoRoutes.hlsComplete.path, videoId, body),
  }
}

async function readAnswer(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxAnswerBytes) break
  }
  return text
}

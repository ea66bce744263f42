import { bufferedUntil } from '@atrium/client'
import { openStream, type Stream } from './hls-stream.ts'
import type { MediaLibrary } from './media-library.ts'

export type MediaKind = 'video' | 'audio'

/** `missing`: not uploaded, not ready, or not for this participant; `unsupported`: the browser cannot play it. */
export type UploadedState =
  | { kind: 'loading'; progress: number }
  | { kind: 'loaded' }
  | { kind: 'missing' | 'unsupported' | 'failed' | 'closed' }

/** An uploaded video or audio with its own element, which loads before it is on the page. */
export interface UploadedMedia {
  readonly element: HTMLMediaElement
  readonly durationMs: number | undefined
  state(): UploadedState
  subscribe(listener: () => void): () => void
  retry(): void
  close(): void
}

/** This much is enough to start with on an ordinary connection. */
const enoughSeconds = 10
/** A video that is not ready may be soon: transcoding takes minutes. */
const lookAgainMs = 15_000

export function openUploadedMedia(library: MediaLibrary, videoId: string, kind: MediaKind): UploadedMedia {
  const element = document.createElement(kind)
  element.preload = 'auto'
  const listeners = new Set<() => void>()
  let state: UploadedState = { kind: 'loading', progress: 0 }
  let stream: Stream | undefined
  let durationMs: number | undefined
  let isClosed = false
  let again: ReturnType<typeof setTimeout> | undefined

  function setState(news: UploadedState): void {
    if (isClosed || JSON.stringify(news) === JSON.stringify(state)) return
    state = news
    for (const listener of listeners) listener()
  }

  async function load(): Promise<void> {
    clearTimeout(again)
    const video = await library.find(videoId)
    if (isClosed) return
    if (!video) {
      setState({ kind: 'missing' })
      again = setTimeout(start, lookAgainMs)
      return
    }
    durationMs = video.durationMs ?? undefined
    if (element instanceof HTMLVideoElement && video.posterUrl !== null) element.poster ||= video.posterUrl
    setState({ kind: 'loading', progress: 0 })
    const opened = await openStream({
      element,
      video,
      renew: () => library.renew(videoId),
      onFailed: () => setState({ kind: 'failed' }),
    })
    if (isClosed) return opened?.close()
    stream = opened
    if (!opened) setState({ kind: 'unsupported' })
  }

  const start = (): void => void load().catch(() => setState({ kind: 'failed' }))

  function measure(): void {
    if (state.kind !== 'loading') return
    const wanted = Math.min(
      enoughSeconds,
      Number.isFinite(element.duration) ? element.duration : enoughSeconds,
    )
    const progress = Math.min(1, (bufferedUntil(element) - element.currentTime) / wanted)
    setState(
      progress > 0.98 ? { kind: 'loaded' } : { kind: 'loading', progress: Math.floor(progress * 20) / 20 },
    )
  }

  element.addEventListener('progress', measure)
  element.addEventListener('canplaythrough', measure)
  start()
  return {
    element,
    get durationMs() {
      return durationMs
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    retry() {
      setState({ kind: 'loading', progress: 0 })
      if (stream) stream.retry()
      else start()
    },
    close() {
      setState({ kind: 'closed' })
      isClosed = true
      clearTimeout(again)
      stream?.close()
      element.pause()
      element.remove()
    },
  }
}

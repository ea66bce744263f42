import type { PlayableVideo } from '@atrium/contract'
import type Hls from 'hls.js'
import type { ErrorData } from 'hls.js'
import { levelForScreen, withCredentialOf } from './signed-address.ts'

export interface StreamDeps {
  element: HTMLMediaElement
  video: PlayableVideo
  /** Returns new addresses, or undefined if there are none any more. */
  renew(): Promise<PlayableVideo | undefined>
  onFailed(): void
}

export interface Stream {
  /** After a failure: continues where it stopped. */
  retry(): void
  close(): void
}

const nativeType = 'application/vnd.apple.mpegurl'
const renewBeforeMs = 90_000
/** hls.js has repeated each request several times before it gives up; then we do, this often, before the participant has to. */
const maxRecoveries = 4

/** Undefined if this browser plays no such streams. hls.js is loaded only here: most studies have no uploaded videos. */
export async function openStream(deps: StreamDeps): Promise<Stream | undefined> {
  const { default: HlsClass } = await import('hls.js/light')
  // Asked first: Chromium says “maybe” to the native type and then does not play every stream.
  if (HlsClass.isSupported()) return openWithHls(HlsClass, deps)
  return deps.element.canPlayType(nativeType) === '' ? undefined : openNatively(deps)
}

function openWithHls(HlsClass: typeof Hls, { element, video, renew, onFailed }: StreamDeps): Stream {
  let { playbackUrl } = video
  let recoveries = 0
  let renewing: ReturnType<typeof setTimeout> | undefined
  const hls = new HlsClass({
    // The worker would be made from a blob, which the pages’ policy forbids.
    enableWorker: false,
    maxBufferLength: 30,
    backBufferLength: 60,
    xhrSetup(xhr, url) {
      xhr.open('GET', withCredentialOf(playbackUrl ?? '', url), true)
    },
  })

  async function refresh(): Promise<void> {
    const renewed = await renew().catch(() => undefined)
    if (renewed) take(renewed)
  }

  function take(news: PlayableVideo): void {
    playbackUrl = news.playbackUrl
    clearTimeout(renewing)
    const leftMs = Date.parse(news.expiresAt) - Date.now()
    renewing = setTimeout(() => void refresh(), Math.max(leftMs / 2, leftMs - renewBeforeMs, 1_000))
  }

  async function recover({ type }: ErrorData): Promise<void> {
    if (++recoveries > maxRecoveries) return onFailed()
    if (type === HlsClass.ErrorTypes.MEDIA_ERROR) return hls.recoverMediaError()
    if (type !== HlsClass.ErrorTypes.NETWORK_ERROR) return onFailed()
    // Perhaps the address has expired, on a computer that slept or whose clock is wrong.
    await refresh()
    load()
  }

  function load(): void {
    // Without levels, the master playlist itself is missing.
    if (hls.levels.length === 0) hls.loadSource(new URL(playbackUrl ?? '', location.href).href)
    else hls.startLoad()
  }

  hls.on(HlsClass.Events.MANIFEST_PARSED, (_name, { levels }) => {
    const longestSide = Math.max(screen.width, screen.height) * devicePixelRatio
    hls.autoLevelCapping = levelForScreen(levels, longestSide)
  })
  hls.on(HlsClass.Events.FRAG_BUFFERED, () => {
    recoveries = 0
  })
  hls.on(HlsClass.Events.ERROR, (_name, data) => {
    if (data.fatal) void recover(data)
  })
  take(video)
  hls.attachMedia(element)
  load()
  return {
    retry() {
      recoveries = 0
      void refresh().then(load)
    },
    close() {
      clearTimeout(renewing)
      hls.destroy()
    },
  }
}

/** Browsers that play HLS by themselves, and have no MediaSource: older iPhones. */
function openNatively({ element, video, renew, onFailed }: StreamDeps): Stream {
  const fail = () => onFailed()
  const play = ({ playbackUrl }: PlayableVideo) => {
    const at = element.currentTime
    const goOn = () => {
      element.currentTime = at
    }
    element.src = playbackUrl ?? ''
    if (at > 0) element.addEventListener('loadedmetadata', goOn, { once: true })
  }
  element.addEventListener('error', fail)
  play(video)
  return {
    retry: () => void renew().then((renewed) => (renewed ? play(renewed) : onFailed()), fail),
    close() {
      element.removeEventListener('error', fail)
      element.removeAttribute('src')
      element.load()
    },
  }
}

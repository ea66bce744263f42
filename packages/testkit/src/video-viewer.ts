import type { PlaybackState } from '@atrium/contract'
import type { Browser } from 'playwright-core'

/** A frame that a page has displayed. */
export interface ShownFrame {
  src: string
  /** Its own time in the video. */
  mediaMs: number
  /** When it was displayed, in epoch milliseconds of this machine. */
  atMs: number
}

export type VideoViewer = Awaited<ReturnType<typeof openVideoViewer>>

/** A participant's real page, which notes every frame of a video as it is displayed. */
export async function openVideoViewer(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 640, height: 600 } })
  context.setDefaultTimeout(120_000)
  await context.addInitScript(noteFrames)
  const page = await context.newPage()
  const states: PlaybackState[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const state = stateIn(String(payload))
      if (state) states.push(state)
    }),
  )
  return {
    page,
    /** What the room has told this page, oldest first. */
    states: (): readonly PlaybackState[] => states,
    /** Since the page was loaded. */
    frames: () => page.evaluate(() => (globalThis as unknown as PageWorld).shownFrames),
    /** Browsers that have seen no click on a page ask for one. */
    async clickIfAsked(): Promise<void> {
      const button = page.locator('.start-button')
      if (await button.isVisible()) await button.click({ timeout: 1_000 }).catch(() => undefined)
    },
    close: () => context.close(),
  }
}

/** How far each frame was ahead of the room; `aheadMs` is server time minus this machine's. */
export function driftsOf(
  frames: readonly ShownFrame[],
  states: readonly PlaybackState[],
  aheadMs: number,
): { atMs: number; driftMs: number }[] {
  return frames.flatMap(({ mediaMs, atMs }) => {
    const serverMs = atMs + aheadMs
    const present = states.findLast(({ atServerTime }) => atServerTime <= serverMs)
    if (present?.status !== 'playing') return []
    const roomMs = present.positionMs + (serverMs - present.atServerTime) * present.rate
    return [{ atMs, driftMs: mediaMs - roomMs }]
  })
}

/** What is used of the page's own world; the types of browsers are not those of this package. */
interface PageWorld {
  shownFrames: ShownFrame[]
  document: {
    addEventListener(type: string, listener: (event: { target: unknown }) => void, isFirst: boolean): void
  }
}
interface PageVideo {
  readonly paused: boolean
  readonly seeking: boolean
  readonly currentSrc: string
  requestVideoFrameCallback?(
    take: (now: number, frame: { mediaTime: number; expectedDisplayTime: number }) => void,
  ): void
}

/** Runs in the page, before anything else. */
function noteFrames(): void {
  const world = globalThis as unknown as PageWorld
  const watched = new Set<PageVideo>()
  world.shownFrames = []
  function watch({ target }: { target: unknown }): void {
    const video = target as PageVideo
    if (watched.has(video)) return
    watched.add(video)
    video.requestVideoFrameCallback?.(function note(_now, { mediaTime, expectedDisplayTime }) {
      video.requestVideoFrameCallback?.(note)
      if (video.paused || video.seeking) return
      const atMs = performance.timeOrigin + expectedDisplayTime
      world.shownFrames.push({ src: video.currentSrc, mediaMs: mediaTime * 1_000, atMs })
    })
  }
  world.document.addEventListener('play', watch, true)
}

function stateIn(payload: string): PlaybackState | undefined {
  const start = '42/sync,'
  if (!payload.startsWith(start)) return undefined
  const [name, state] = JSON.parse(payload.slice(start.length)) as [string, PlaybackState]
  return name === 'playback_state' ? state : undefined
}

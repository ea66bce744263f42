import type { ExperimentDefinition, PlaybackState } from '@atrium/contract'
import { createApi } from './api.ts'
import { openBrowser } from './browsers.ts'
import { createPerson, createResearcher } from './participant.ts'
import { openRoomSocket } from './room-socket.ts'
import { type SlowLineOptions, startSlowLine } from './slow-line.ts'
import { openSyncSocket } from './sync-socket.ts'
import { driftsOf, openVideoViewer, type VideoViewer } from './video-viewer.ts'
import { waitUntil } from './wait.ts'

export type VideoAudience = Awaited<ReturnType<typeof startVideoAudience>>

/** The video of the examples, 20 s, shown several times. Each showing loads it anew. */
const showing = (_: unknown, index: number): ExperimentDefinition['states'][number] => ({
  id: `showing${index}`,
  components: [
    {
      id: videoIn(index),
      type: 'video',
      src: `/examples/film.mp4?${videoIn(index)}`,
      durationMs: 20_000,
      waitForAllMs: 60_000,
    } as never,
  ],
  end: { on: 'media_ended', componentId: videoIn(index), afterMs: 120_000 },
})
const videoIn = (index: number): string => `video${index}`

const screening = (people: number, showings: number): ExperimentDefinition => ({
  name: 'Several showings',
  states: [
    { id: 'welcome', components: [], end: { on: 'button', label: 'I am ready' } },
    ...Array.from({ length: showings }, showing),
  ],
  matching: { groupSize: people },
  dropout: { policy: 'wait', graceMs: 120_000 },
})

/** People who watch one video together in real browsers, each behind a line of their own. */
export async function startVideoAudience(front: string, lines: readonly SlowLineOptions[], showings: number) {
  const api = createApi(front)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment(screening(lines.length, showings))
  const aheadMs = await serverAheadMs(front)
  const browser = await openBrowser()
  const slowLines = await Promise.all(lines.map((line) => startSlowLine(front, line)))
  const viewers: VideoViewer[] = []
  for (const line of slowLines) {
    const viewer = await openVideoViewer(browser)
    viewers.push(viewer)
    await viewer.page.goto(`${line.http}/join/${experimentId}`)
  }
  await Promise.all(viewers.map(({ page }) => page.getByRole('button', { name: 'I am ready' }).click()))

  /** What any of the pages has been told about a showing, in the order of the room. */
  const statesOf = (index: number): PlaybackState[] =>
    viewers
      .flatMap((viewer) => viewer.states())
      .filter(({ componentId }) => componentId === videoIn(index))
      .toSorted((one, other) => one.atServerTime - other.atServerTime)

  /** How far each frame that the viewer has seen of a showing was ahead of the room. */
  async function drifts(viewer: VideoViewer, index: number) {
    const frames = (await viewer.frames()).filter(({ src }) => src.endsWith(`?${videoIn(index)}`))
    return driftsOf(frames, statesOf(index), aheadMs)
  }

  return {
    experimentId,
    researcher,
    viewers,
    lines: slowLines,
    statesOf,
    drifts,
    isOver: (index: number): boolean => statesOf(index).at(-1)?.status === 'ended',
    /** The last showing that has begun. */
    current: (): number => {
      const begun = Array.from({ length: showings }, (_, index) => index).filter(
        (index) => statesOf(index).length > 0,
      )
      return begun.at(-1) ?? 0
    },
    /** Resolves once everyone's page shows frames of that showing, in whichever state the room is. */
    async untilShown(index: number): Promise<void> {
      for (const viewer of viewers)
        await waitUntil(
          async () => {
            await viewer.clickIfAsked()
            return (await drifts(viewer, index)).length > 0 || `showing ${index} has not begun everywhere`
          },
          { everyMs: 250, timeoutMs: 300_000 },
        )
    },
    /** The name of the instance that holds the room, from the router's redirect. */
    async pod(): Promise<string> {
      const lines = await researcher.exported(experimentId)
      const roomId = lines.find(({ type }) => type === 'playback')?.roomId
      const headers = { accept: 'text/html' }
      const page = await fetch(`${front}/experiment/${roomId}`, { headers, redirect: 'manual' })
      return new URL(page.headers.get('location') ?? '', front).searchParams.get('pod') ?? ''
    },
    async stop(): Promise<void> {
      await browser.close()
      await Promise.all(slowLines.map((line) => line.stop()))
    },
  }
}

/** Server time minus the time of this machine: that of the quickest of many pings, without a slow line. */
async function serverAheadMs(front: string): Promise<number> {
  const api = createApi(front)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const session = await (await createPerson(api)).join(experimentId)
  // A room where nobody is present goes to rest.
  const room = await openRoomSocket(front, session)
  const socket = await openSyncSocket(front, session)
  let best = { rttMs: Number.POSITIVE_INFINITY, offsetMs: 0 }
  for (let ping = 0; ping < 40; ping++) {
    const { t0, t1, t2, t3 } = await socket.ping()
    const rttMs = t3 - t0 - (t2 - t1)
    if (rttMs < best.rttMs) best = { rttMs, offsetMs: (t1 - t0 + t2 - t3) / 2 }
  }
  socket.close()
  room.close()
  return best.offsetMs - performance.timeOrigin
}

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isOfKind, type ReplayedScene, readyForReplay } from '../../api/replayed-scene.ts'
import { speak, texts } from '../../text/participant.ts'
import { StateClock, StateProgress } from '../frame/state-head.tsx'
import { paintAccent, StudyBrandingContext } from '../frame/study-branding.ts'
import { createMediaLibrary } from '../media/media-library.ts'
import { openUploadedMedia } from '../media/uploaded-media.ts'
import { Page } from '../pages/page.tsx'
import type { RoomActions } from '../room/room-actions.ts'
import { RoomFrame } from '../room/room-frame.tsx'

/** The page of a participant at one moment, as the console’s replay asks for it. Nothing on it can be used. */
export function ReplayedPage() {
  const scene = useScene()
  useLayoutEffect(() => paintAccent(scene?.study.accent ?? undefined), [scene?.study.accent])
  useSteadyScroll(scene)
  if (!scene?.view.state)
    return (
      <Page>
        <p>{texts().loading}</p>
      </Page>
    )
  const { view, study } = scene
  const { state } = scene.view
  const actions = replayActions(view.serverTime)
  // A room that stands still takes no answers and sends none; its clocks show the moment.
  const still = { ...view, status: 'paused' as const }
  const face = {
    name: study.name,
    appearance: {
      ...(study.accent !== null && { accent: study.accent }),
      ...(study.logo !== null && { logo: study.logo }),
    },
  }
  return (
    <StudyBrandingContext value={face}>
      {/* Inert: it must not take the focus from the console, and no key may do anything here. */}
      <div inert key={scene.number}>
        <Page
          hasOwnCards
          head={
            <>
              <StateProgress view={still} state={state} />
              <StateClock view={still} state={state} serverNow={actions.serverNow} />
            </>
          }
        >
          {view.status === 'paused' && <p className="banner is-warning">{texts().room.paused}</p>}
          <RoomFrame view={still} state={state} actions={actions} />
        </Page>
      </div>
    </StudyBrandingContext>
  )
}

/** Each moment is a new page, which begins at its top; within a state the reader stays where they were. */
function useSteadyScroll(scene: ReplayedScene | undefined): void {
  const before = useRef({ visit: 0, top: 0 })
  const visit = scene?.view.state?.visit ?? 0
  const top = visit === before.current.visit ? scrollY : 0
  useEffect(() => {
    before.current = { visit, top }
    scrollTo({ top })
  })
}

/** Sent by the console, which has opened this page in a frame; by nobody else. */
function useScene(): ReplayedScene | undefined {
  const [scene, setScene] = useState<ReplayedScene>()
  useEffect(() => {
    function receive({ origin, source, data }: MessageEvent): void {
      if (origin !== location.origin || source !== parent || !isOfKind(data, 'atrium-replay')) return
      const sent = data as ReplayedScene
      void speak(sent.study.language).then(() => setScene(sent))
    }
    addEventListener('message', receive)
    parent.postMessage(readyForReplay, location.origin)
    return () => removeEventListener('message', receive)
  }, [])
  return scene
}

const refuse = () => Promise.reject(new Error('nothing can be done in a replay'))
const ignore = () => Promise.resolve()
/** Actions of a page on which nothing can be done, at a time that does not pass. */
const replayActions = (at: number): RoomActions => ({
  serverNow: () => at,
  answer: refuse,
  timesIn: () => undefined,
  say: refuse,
  // The page of a consent presses the button by itself.
  ready: ignore,
  cannotAnswer: ignore,
  leave: ignore,
  uploadFile: refuse,
  note: () => undefined,
  files: () => undefined,
  media: {
    subscribe: () => () => undefined,
    sync: () => undefined,
    // Videos are given only to those who take part.
    take: (videoId, kind) =>
      openUploadedMedia(
        createMediaLibrary(async () => []),
        videoId,
        kind,
      ),
    ahead: () => undefined,
  },
})

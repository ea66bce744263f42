import type { RoomSnapshot } from '@atrium/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { RescueBoundary } from '../../rescue/rescue-boundary.tsx'
import { texts } from '../../text/participant.ts'
import { StateClock, StateProgress } from '../frame/state-head.tsx'
import { paintAccent, type StudyBranding, StudyBrandingContext } from '../frame/study-branding.ts'
import { createMediaLibrary } from '../media/media-library.ts'
import { openUploadedMedia } from '../media/uploaded-media.ts'
import { Page } from '../pages/page.tsx'
import type { RoomActions } from '../room/room-actions.ts'
import { RoomFrame } from '../room/room-frame.tsx'

/** What the builder sends: a room as a participant would see it, with sample values. */
interface PreviewRequest {
  view: RoomSnapshot
  face: StudyBranding
}

/** The page of a draft as the builder sends it. Nothing leaves this page, and nobody is asked. */
export function PreviewPage() {
  const request = useRequest()
  return request === undefined ? null : (
    <RescueBoundary key={JSON.stringify(request)} instead={<Unshown />}>
      <Previewed key={`${request.view.state?.visit} ${request.view.self.role}`} {...request} />
    </RescueBoundary>
  )
}

function Unshown() {
  return (
    <Page>
      <p className="quiet">{texts().loading}</p>
    </Page>
  )
}

/** Only from the page around this one, which is our own. */
function useRequest(): PreviewRequest | undefined {
  const [request, setRequest] = useState<PreviewRequest>()
  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === parent && data?.kind === 'preview')
        setRequest(data.request)
    }
    addEventListener('message', receive)
    parent.postMessage({ kind: 'preview-ready' }, location.origin)
    return () => removeEventListener('message', receive)
  }, [])
  return request
}

function Previewed({ view: empty, face }: PreviewRequest) {
  const [own, setOwn] = useState<Pick<RoomSnapshot, 'messages'> & { responses: Record<string, unknown> }>({
    messages: [],
    responses: {},
  })
  const actions = useMemo(() => actionsFor(setOwn), [])
  const accent = face.appearance?.accent
  useEffect(() => paintAccent(accent), [accent])
  if (!empty.state) return <Unshown />
  const view = { ...empty, messages: own.messages, self: { ...empty.self, responses: own.responses } }
  return (
    <StudyBrandingContext value={face}>
      <Untouched>
        <Page
          hasOwnCards
          head={
            <>
              <StateProgress view={view} state={empty.state} />
              <StateClock view={view} state={empty.state} serverNow={actions.serverNow} />
            </>
          }
        >
          <RoomFrame view={view} state={empty.state} actions={actions} />
        </Page>
      </Untouched>
    </StudyBrandingContext>
  )
}

/** Pages move the focus to their heading. Here that would take it away from whoever types in the builder, so nothing can have it until the mouse is over the page. */
function Untouched({ children }: { children: React.ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const set = (isInert: boolean) => () => {
      if (content.current) content.current.inert = isInert
    }
    const [leave, enter] = [set(true), set(false)]
    document.documentElement.addEventListener('pointerenter', enter)
    document.documentElement.addEventListener('pointerleave', leave)
    return () => {
      document.documentElement.removeEventListener('pointerenter', enter)
      document.documentElement.removeEventListener('pointerleave', leave)
    }
  }, [])
  return (
    <div ref={content} inert>
      {children}
    </div>
  )
}

type Own = Pick<RoomSnapshot, 'messages'> & { responses: Record<string, unknown> }

/** Keeps answers and messages on this page alone. */
function actionsFor(change: (make: (own: Own) => Own) => void): RoomActions {
  const library = createMediaLibrary(async () => [])
  return {
    serverNow: () => Date.now(),
    answer: async (_visit, componentId, value) =>
      change((own) => ({ ...own, responses: { ...own.responses, [componentId]: value } })),
    timesIn: () => undefined,
    say: async (text, componentId) =>
      change((own) => ({
        ...own,
        messages: [
          ...own.messages,
          { messageId: `m${own.messages.length}`, from: 'P1', componentId, text, at: Date.now() },
        ],
      })),
    ready: async () => undefined,
    cannotAnswer: async () => undefined,
    leave: async () => undefined,
    media: {
      subscribe: () => () => undefined,
      sync: () => undefined,
      take: (videoId, kind) => openUploadedMedia(library, videoId, kind),
      ahead: () => undefined,
    },
    uploadFile: async (_componentId, file) => ({ fileId: 'preview', size: file.size }),
    note: () => undefined,
    files: () => undefined,
  }
}

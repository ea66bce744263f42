import { createParticipant, type Participant } from '@atrium/client'
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Identity } from '../identity/identity.ts'
import { texts } from '../text/participant.ts'
import { type Arrival, arrivalAt } from './arrival.ts'
import { findIdentity } from './find-identity.ts'
import { createGroupCall, GroupCallContext } from './frame/group-call.ts'
import { paintAccent, type StudyBranding, StudyBrandingContext } from './frame/study-branding.ts'
import { stoppedBy } from './journey/endings.ts'
import { createJourney } from './journey/journey.ts'
import { loadRoomBundle, roomBundle } from './journey/load-room-bundle.ts'
import { brandingOf, experimentOf } from './journey/remembered.ts'
import type { Stage } from './journey/stage.ts'
import type { JoinTarget } from './journey/study-flow.ts'
import { ConsentPage } from './pages/consent-page.tsx'
import { DonePage, FinishingPage, StoppedPage } from './pages/ending-pages.tsx'
import { Page } from './pages/page.tsx'

/** Most people come by the link of a study and never see it. */
const StudiesPage = lazy(async () => ({ default: (await import('./pages/studies-page.tsx')).StudiesPage }))

/** Finds out who the person is, then shows what the address asks for. */
export function App() {
  const [arrival] = useState(() => arrivalAt(location.pathname, location.search))
  const [identity, setIdentity] = useState<Identity | Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (arrival.kind !== 'nothing' && arrival.kind !== 'preview')
      findIdentity(arrival).then(setIdentity, setIdentity)
  }, [arrival, attempt])
  if (arrival.kind === 'nothing') return <NothingHere />
  if (arrival.kind === 'preview') return <Preview />
  if (identity === null) return <Entering />
  if (identity instanceof Error) {
    const again = () => {
      setIdentity(null)
      setAttempt(attempt + 1)
    }
    return <StoppedPage stage={stoppedBy(identity)} onRemedy={again} />
  }
  if (arrival.kind === 'studies')
    return (
      <Suspense fallback={<Entering />}>
        <StudiesPage identity={identity} />
      </Suspense>
    )
  return <Study arrival={arrival} identity={identity} />
}

type StudyArrival = Extract<Arrival, { kind: 'join' | 'try' | 'room' }>

function Study({ arrival, identity }: { arrival: StudyArrival; identity: Identity }) {
  const [stage, setStage] = useState<Stage>({ kind: 'entering' })
  const [branding, setBranding] = useState(() => rememberedBranding(arrival))
  const [call] = useState(createGroupCall)
  const journey = useMemo(() => prepare(arrival, identity, setStage, setBranding), [arrival, identity])
  useEffect(() => void journey.start(), [journey])
  useLayoutEffect(() => paintAccent(branding?.appearance?.accent), [branding])
  const before = useRef(stage.kind)
  useEffect(() => {
    if (before.current === 'waiting' && stage.kind === 'room') call.ring()
    before.current = stage.kind
  }, [stage.kind, call])
  return (
    <StudyBrandingContext value={branding}>
      <GroupCallContext value={call}>
        {arrival.kind === 'try' && window.parent === window && <p className="try-note">{texts().tryNote}</p>}
        <StagePage stage={stage} onRemedy={() => void journey.start()} />
      </GroupCallContext>
    </StudyBrandingContext>
  )
}

function rememberedBranding(arrival: StudyArrival): StudyBranding | null {
  const experimentId = arrival.kind === 'room' ? experimentOf(arrival.roomId) : arrival.experimentId
  return experimentId === null ? null : brandingOf(experimentId)
}

function StagePage({ stage, onRemedy }: { stage: Stage; onRemedy(): void }) {
  switch (stage.kind) {
    case 'entering':
      return <Entering />
    case 'consent':
      return <ConsentPage stage={stage} />
    case 'waiting': {
      const { WaitingPage } = roomBundle()
      return <WaitingPage stage={stage} />
    }
    case 'room': {
      const { RoomPage } = roomBundle()
      return <RoomPage stage={stage} />
    }
    case 'finishing':
      return <FinishingPage problem={stage.problem} />
    case 'done':
      return <DonePage stage={stage} onAgain={onRemedy} />
    case 'stopped':
      return <StoppedPage stage={stage} onRemedy={onRemedy} />
  }
}

function prepare(
  arrival: StudyArrival,
  identity: Identity,
  show: (stage: Stage) => void,
  showBranding: (branding: StudyBranding) => void,
) {
  const participant = createParticipant({
    baseUrl: location.origin,
    getIdToken: (options) => identity.idToken(options),
  })
  participant.warnWhileUnsafe(window)
  // Ahead of time; whoever needs it asks again if this fails.
  loadRoomBundle().catch(() => undefined)
  const { role, metadata, languages } = arrival.visitor
  const wishes = [...languages, ...navigator.languages].filter(({ length }) => length <= 35).slice(0, 20)
  const join = { ...(role !== undefined && { role }), metadata, languages: wishes }
  async function findTarget(): Promise<JoinTarget | undefined> {
    const experimentId =
      arrival.kind === 'room' ? await studyOf(arrival.roomId, participant) : arrival.experimentId
    return experimentId === undefined ? undefined : { experimentId, join }
  }
  return createJourney(participant, findTarget, show, showBranding)
}

/** The study that this browser remembers, or else the one that the participant is in. */
async function studyOf(roomId: string, participant: Participant): Promise<string | undefined> {
  const known = experimentOf(roomId)
  if (known !== null) return known
  const sessions = await participant.history()
  return sessions.find(({ status }) => status === 'active')?.experimentId
}

/** Looks like what index.html shows before any script runs. */
const Entering = () => (
  <Page>
    <p className="visually-hidden" role="status">
      {texts().loading}
    </p>
    <div className="page-to-come" aria-hidden="true" />
  </Page>
)

const Preview = () => (
  <Page>
    <h1>{texts().preview.title}</h1>
    <p>{texts().preview.message}</p>
    <p className="banner">{texts().preview.next}</p>
  </Page>
)

const NothingHere = () => (
  <Page>
    <h1>{texts().nothingHere.title}</h1>
    <p>{texts().nothingHere.message}</p>
    <a className="button is-quiet" href="/">
      {texts().nothingHere.toStudies}
    </a>
  </Page>
)

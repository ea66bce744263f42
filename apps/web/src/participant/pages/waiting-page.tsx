import type { WaitingStatus } from '@atrium/contract'
import { useEffect, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { AskFirst, useAsked } from '../frame/ask-first.tsx'
import { CallMe } from '../frame/call-me.tsx'
import { Lobby } from '../frame/lobby.tsx'
import { PageTitle } from '../frame/page-title.tsx'
import { maxSeatsDrawn, Seats } from '../frame/seats.tsx'
import type { Stage } from '../journey/stage.ts'
import { clockFace, durationInWords } from '../views/display/clock-face.ts'
import { connectionText } from './connection-text.ts'
import { Page } from './page.tsx'
import { countdownText, estimateText, isCounting, leastToStart, neededText } from './waiting-text.ts'

export function WaitingPage({ stage }: { stage: Extract<Stage, { kind: 'waiting' }> }) {
  const { status, connection, leave } = stage
  const trouble = connectionText(connection, texts().waiting)
  const asked = useAsked()
  const [isLeaving, setLeaving] = useState(false)
  async function go(): Promise<void> {
    setLeaving(true)
    await leave().catch(() => setLeaving(false))
  }
  const text = texts().frame.waitingRoom
  const isLater = status?.stage !== undefined
  return (
    <Page>
      <div className="waiting">
        <PageTitle>{isLater ? text.later.heading : texts().waiting.title}</PageTitle>
        {status ? (
          <>
            <Standing status={status} />
            <CallMe />
            <div className="waiting-notes">
              <section>
                <h2>{text.nextTitle}</h2>
                <p>{isLater ? text.later.next : text.next}</p>
                <p>{isLater ? text.later.keepOpen : texts().waiting.keepOpen}</p>
              </section>
              <section>
                <h2>{text.longTitle}</h2>
                {(status.groupSize ?? 0) <= maxSeatsDrawn && <WhenItEnds status={status} />}
                <p>{text.long}</p>
                <button
                  type="button"
                  className="link"
                  onClick={() => asked.current?.showModal()}
                  disabled={isLeaving}
                >
                  {texts().waiting.stop}
                </button>
              </section>
            </div>
          </>
        ) : (
          // Nothing else yet: the seats would push it down a moment later.
          <p role="status">{texts().waiting.joining}</p>
        )}
      </div>
      <section className="notices" aria-label={texts().frame.notices} aria-live="polite">
        {trouble && <p className="banner is-warning">{trouble}</p>}
      </section>
      <AskFirst asked={asked} words={text.stop} onConfirm={() => void go()} />
    </Page>
  )
}

function Standing({ status }: { status: WaitingStatus }) {
  const passedMs = useTimeSince(status)
  const { deadlineAt, estimateMs, waitedMs, serverTime, needed, groupSize = needed + 1 } = status
  const restMs = deadlineAt === null ? null : Math.max(0, deadlineAt - serverTime - passedMs)
  const taken = groupSize - needed
  const isCrowd = groupSize > maxSeatsDrawn
  return (
    <>
      {isCrowd ? (
        <Lobby taken={taken} of={groupSize} least={leastToStart(status)} />
      ) : (
        <Seats taken={taken} of={groupSize} />
      )}
      {isCrowd && restMs !== null && <p className="waiting-clock">{countdownText(status, restMs)}</p>}
      <div className={isCrowd ? undefined : 'waiting-words'} role="status">
        {/* Of a crowd, the bar says it: read out with each who comes, it would never be quiet. */}
        {!(isCrowd && isCounting(status)) && <p className="waiting-needed">{neededText(status)}</p>}
        <p>{estimateText(estimateMs === null ? null : estimateMs - passedMs, restMs)}</p>
      </div>
      <p className="quiet">
        {texts().waiting.waited} <time className="waiting-clock">{clockFace(waitedMs + passedMs, 'up')}</time>
      </p>
    </>
  )
}

/** In minutes: a clock that runs out while nothing can be done about it only worries people. */
function WhenItEnds({ status }: { status: WaitingStatus }) {
  const passedMs = useTimeSince(status)
  const { deadlineAt, serverTime, atDeadline = 'end' } = status
  const restS = deadlineAt === null ? 0 : Math.ceil((deadlineAt - serverTime - passedMs) / 1_000)
  if (restS <= 0 || atDeadline === 'wait') return null
  const { later, ...first } = texts().frame.waitingRoom
  const { longEnd, longGoOn } = first
  const { longStart } = status.stage === undefined ? first : later
  const inWords = durationInWords(restS > 90 ? Math.round(restS / 60) * 60 : Math.ceil(restS / 10) * 10)
  const says = { end: longEnd, start: longStart, go_on: longGoOn }[atDeadline]
  return <p>{says(inWords)}</p>
}

/** Time since the status arrived, by this device’s clock: only its rate matters. */
function useTimeSince(status: WaitingStatus): number {
  const [passed, setPassed] = useState({ status, ms: 0 })
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(() => setPassed({ status, ms: performance.now() - began }), 1_000)
    return () => clearInterval(timer)
  }, [status])
  return passed.status === status ? passed.ms : 0
}

import type { WaitingStatus } from '@atrium/contract'
import { useEffect, useState } from 'react'
import { texts } from '../../text/participant.ts'
import type { Stage } from '../journey/stage.ts'
import { connectionText } from './connection-text.ts'
import { Page } from './page.tsx'
import { estimateText, neededText } from './waiting-text.ts'

export function WaitingPage({ stage }: { stage: Extract<Stage, { kind: 'waiting' }> }) {
  const { status, connection, leave } = stage
  const trouble = connectionText(connection, texts().waiting)
  const [isLeaving, setLeaving] = useState(false)
  async function go(): Promise<void> {
    setLeaving(true)
    await leave().catch(() => setLeaving(false))
  }
  return (
    <Page>
      <h1>{texts().waiting.title}</h1>
      {status ? <Figures status={status} /> : <p role="status">{texts().waiting.joining}</p>}
      {trouble && (
        <p className="banner is-warning" role="status">
          {trouble}
        </p>
      )}
      <p className="quiet">{texts().waiting.keepOpen}</p>
      <button type="button" className="button is-quiet" onClick={() => void go()} disabled={isLeaving}>
        {texts().waiting.stop}
      </button>
    </Page>
  )
}

function Figures({ status }: { status: WaitingStatus }) {
  const passedMs = useTimeSince(status)
  const { deadlineAt, estimateMs, waitedMs, serverTime } = status
  const rest = deadlineAt === null ? null : Math.max(0, deadlineAt - serverTime - passedMs)
  const estimate = estimateText(estimateMs === null ? null : estimateMs - passedMs, rest)
  return (
    <div className="waiting" role="status">
      <p className="waiting-needed">{neededText(status)}</p>
      <dl>
        <dt>{texts().waiting.waited}</dt>
        <dd aria-live="off">{clock(waitedMs + passedMs)}</dd>
        {estimate !== null && (
          <>
            <dt>{texts().waiting.estimate}</dt>
            <dd>{estimate}</dd>
          </>
        )}
        {rest !== null && (
          <>
            <dt>{texts().waiting.endsIn}</dt>
            <dd aria-live="off">{clock(rest)}</dd>
          </>
        )}
      </dl>
    </div>
  )
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

const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

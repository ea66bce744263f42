import type { WaitingStatus } from '@atrium/contract'
import { useEffect, useState } from 'react'
import type { Stage } from '../journey/stage.ts'
import { Page } from './page.tsx'

export function WaitingPage({ stage }: { stage: Extract<Stage, { kind: 'waiting' }> }) {
  const { status, connection, leave } = stage
  const [isLeaving, setLeaving] = useState(false)
  async function go(): Promise<void> {
    setLeaving(true)
    await leave().catch(() => setLeaving(false))
  }
  return (
    <Page>
      <h1>Waiting for the others</h1>
      {status ? <Figures status={status} /> : <p role="status">You are being announced …</p>}
      {connection.kind === 'reconnecting' && (
        <p className="banner is-warning" role="status">
          The connection is lost. It is tried again; your place is kept for a moment.
        </p>
      )}
      <p className="quiet">Please keep this page open. The study begins by itself.</p>
      <button type="button" className="button is-quiet" onClick={() => void go()} disabled={isLeaving}>
        Stop waiting
      </button>
    </Page>
  )
}

function Figures({ status }: { status: WaitingStatus }) {
  const passedMs = useTimeSince(status)
  const { needed, held, deadlineAt, estimateMs, waitedMs, serverTime } = status
  const rest = deadlineAt === null ? null : Math.max(0, deadlineAt - serverTime - passedMs)
  return (
    <div className="waiting" role="status">
      <p className="waiting-needed">{neededText(needed, held)}</p>
      <dl>
        <dt>You have waited</dt>
        <dd aria-live="off">{clock(waitedMs + passedMs)}</dd>
        {estimateMs !== null && (
          <>
            <dt>It may still take</dt>
            <dd>about {minutes(Math.max(0, estimateMs - passedMs))}</dd>
          </>
        )}
        {rest !== null && (
          <>
            <dt>At the latest it ends in</dt>
            <dd aria-live="off">{clock(rest)}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function neededText(needed: number, held: WaitingStatus['held']): string {
  if (held === 'capacity') return 'Your group is complete. It begins as soon as there is room for it.'
  if (needed === 0) return 'Your group is complete.'
  return needed === 1 ? 'One more person is needed.' : `${needed} more people are needed.`
}

/** Since the status came, by this device’s own clock: only its pace matters. */
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

const minutes = (ms: number): string => {
  const whole = Math.max(1, Math.round(ms / 60_000))
  return whole === 1 ? 'a minute' : `${whole} minutes`
}

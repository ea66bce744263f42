import { useEffect, useState } from 'react'
import type { Stage, Stopped } from '../journey/stage.ts'
import { Page } from './page.tsx'

/** Time to read before the browser goes back to the site that sent the person. */
const redirectAfterMs = 6_000

const thanks: Record<string, string> = {
  SUCCESS: 'You have completed the study. Thank you for taking part.',
  NO_CONSENT: 'You have not agreed, so nothing more will happen. Thank you for coming.',
  SCREENED_OUT: 'You cannot go on with this study. Thank you for coming.',
  screened_out: 'This study is for other people. Thank you for coming.',
  deadline: 'There were not enough people for a group in time. Thank you for waiting.',
  closed: 'The study was closed before your group was complete. Thank you for waiting.',
  left: 'You have stopped waiting. Thank you for coming.',
  ABANDONED: 'You have left the study. What you have answered is kept.',
  PARTNER_LEFT: 'Somebody else has left, so the study could not go on. Thank you for taking part.',
  TECHNICAL: 'The study was ended by the researchers. Thank you for taking part.',
}

export function DonePage({ stage }: { stage: Extract<Stage, { kind: 'done' }> }) {
  const { outcome, completionCode, redirectUrl } = stage
  useEffect(() => {
    if (redirectUrl === '') return
    const timer = setTimeout(() => location.assign(redirectUrl), redirectAfterMs)
    return () => clearTimeout(timer)
  }, [redirectUrl])
  return (
    <Page>
      <h1>That is all</h1>
      <p>{(outcome && thanks[outcome]) ?? 'You have completed the study. Thank you for taking part.'}</p>
      {completionCode && <Code code={completionCode} />}
      {redirectUrl && (
        <p>
          You are taken back in a moment.{' '}
          <a className="button" href={redirectUrl}>
            Go back now
          </a>
        </p>
      )}
      {!redirectUrl && <p className="quiet">You may close this page.</p>}
    </Page>
  )
}

function Code({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => navigator.clipboard?.writeText(code).then(() => setCopied(true))
  return (
    <div className="code">
      <p>Your code:</p>
      <output>{code}</output>
      <button type="button" className="button is-quiet" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

export function FinishingPage({ problem }: { problem: string | null }) {
  return (
    <Page>
      <h1>One moment</h1>
      <p role="status">Your answers are being saved. Please keep this page open.</p>
      {problem && (
        <p className="banner is-warning">That takes longer than usual. It is tried again: {problem}</p>
      )}
    </Page>
  )
}

export function StoppedPage({ stage, onRemedy }: { stage: Stopped; onRemedy(): void }) {
  return (
    <Page>
      <h1>{stage.title}</h1>
      <p role="alert">{stage.message}</p>
      {stage.remedy && (
        <button type="button" className="button" onClick={onRemedy}>
          {stage.remedy}
        </button>
      )}
    </Page>
  )
}

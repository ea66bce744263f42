import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import { outcomeText } from '../journey/endings.ts'
import type { Stage, Stopped } from '../journey/stage.ts'
import { LeaveStudy } from './leave-study.tsx'
import { Page } from './page.tsx'
import { WithdrawalSection } from './withdrawal-section.tsx'

export function DonePage({ stage }: { stage: Extract<Stage, { kind: 'done' }> }) {
  const { outcome, completionCode, redirectUrl, withdrawal } = stage
  return (
    <Page>
      <h1>{texts().done.title}</h1>
      <p>{outcomeText(outcome)}</p>
      {/* Where the study has no code for it, the outcome itself comes instead, which nobody needs to copy. */}
      {completionCode && completionCode !== outcome && <Code code={completionCode} />}
      {redirectUrl ? (
        // Whoever may still delete their data decides when to leave.
        <LeaveStudy redirectUrl={redirectUrl} leavesAlone={!withdrawal} />
      ) : (
        <p className="quiet">{texts().done.mayClose}</p>
      )}
      {withdrawal && <WithdrawalSection {...withdrawal} />}
    </Page>
  )
}

function Code({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => navigator.clipboard?.writeText(code).then(() => setCopied(true))
  return (
    <div className="code">
      <p>{texts().done.code}</p>
      <output>{code}</output>
      <button type="button" className="button is-quiet" onClick={copy}>
        {isCopied ? texts().done.copied : texts().done.copy}
      </button>
    </div>
  )
}

export function FinishingPage({ problem }: { problem: string | null }) {
  return (
    <Page>
      <h1>{texts().finishing.title}</h1>
      <p role="status">{texts().finishing.keepOpen}</p>
      {problem && <p className="banner is-warning">{texts().finishing.slow(problem)}</p>}
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

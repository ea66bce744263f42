import type { RecruitingSite, ShownPayment } from '@atrium/contract'
import { useRef, useState } from 'react'
import { pageLocale, texts } from '../../text/participant.ts'
import { PageTitle } from '../frame/page-title.tsx'
import { isRealCode, outcomeText } from '../journey/endings.ts'
import type { Stage, Stopped } from '../journey/stage.ts'
import { LeaveStudy } from './leave-study.tsx'
import { Page } from './page.tsx'
import { WithdrawalSection } from './withdrawal-section.tsx'

interface DonePageProps {
  stage: Extract<Stage, { kind: 'done' }>
  onAgain(): void
}

export function DonePage({ stage, onAgain }: DonePageProps) {
  const { outcome, completionCode, redirectUrl, payment, withdrawal, again, isRemoved, site } = stage
  const hasCode = isRealCode(completionCode, outcome)
  const comeBack = () => {
    again?.()
    onAgain()
  }
  return (
    <Page>
      <PageTitle>{texts().done.title}</PageTitle>
      <p className={outcome === 'SUCCESS' ? 'outcome is-success' : 'outcome'}>
        {isRemoved ? texts().done.removed : outcomeText(outcome)}
      </p>
      {payment && <Earned {...payment} />}
      {hasCode && <Code code={completionCode} />}
      {redirectUrl ? (
        // Whoever may still delete their data decides when to leave.
        <LeaveStudy redirectUrl={redirectUrl} leavesAlone={!withdrawal} />
      ) : (
        <NothingLeadsBack site={hasCode || again ? undefined : site} />
      )}
      {again && (
        <button type="button" className="button is-quiet" onClick={comeBack}>
          {texts().frame.waitingRoom.again}
        </button>
      )}
      {withdrawal && <WithdrawalSection {...withdrawal} />}
    </Page>
  )
}

function Earned({ amount, currency, rounds = [] }: ShownPayment) {
  const text = texts().done
  const locale = pageLocale()
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
  const numbers = rounds.map((round) => new Intl.NumberFormat(locale).format(round))
  return (
    <>
      <p>{text.earned(money)}</p>
      {rounds.length > 0 && (
        <p className="quiet">{text.earnedIn(new Intl.ListFormat(locale).format(numbers), rounds.length)}</p>
      )}
    </>
  )
}

/** Where the way back can be named although this study has none for this outcome. */
const sites = {
  prolific: { name: 'Prolific', address: 'https://app.prolific.com/submissions' },
  sona: { name: 'SONA', address: undefined },
  mturk: { name: 'MTurk', address: 'https://worker.mturk.com/' },
} as const

function NothingLeadsBack({ site }: { site: RecruitingSite | undefined }) {
  const text = texts().done
  if (site === undefined) return <p className="quiet">{text.mayClose}</p>
  const { name, address } = sites[site]
  return (
    <>
      <p>{text.noCode(name)}</p>
      {address && (
        <p>
          <a className="button" href={address}>
            {text.toSite(name)}
          </a>
        </p>
      )}
    </>
  )
}

function Code({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLOutputElement>(null)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(code)
      setCopied(true)
    } catch {
      // No permission, or no https: it is marked, so that one key copies it.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
    }
  }
  return (
    <div className="code">
      <p>{texts().done.code}</p>
      <output ref={shown}>{code}</output>
      <button type="button" className="button is-quiet" onClick={() => void copy()}>
        {isCopied ? texts().done.copied : texts().done.copy}
      </button>
    </div>
  )
}

export function FinishingPage({ problem }: { problem: string | null }) {
  return (
    <Page>
      <PageTitle>{texts().finishing.title}</PageTitle>
      <p role="status">{texts().finishing.keepOpen}</p>
      {problem && <p className="banner is-warning">{texts().finishing.slow(problem)}</p>}
    </Page>
  )
}

/** What somebody can do whom a study cannot take. */
const OtherStudies = () => (
  <>
    <p className="quiet">{texts().stopped.whatNow}</p>
    <a className="button is-quiet" href="/">
      {texts().nothingHere.toStudies}
    </a>
  </>
)

export function StoppedPage({ stage, onRemedy }: { stage: Stopped; onRemedy?(): void }) {
  return (
    <Page>
      <PageTitle>{stage.title}</PageTitle>
      <p role="alert">{stage.message}</p>
      {stage.remedy && (
        <button type="button" className="button" onClick={stage.reloads ? () => location.reload() : onRemedy}>
          {stage.remedy}
        </button>
      )}
      {stage.hasOthers && <OtherStudies />}
    </Page>
  )
}

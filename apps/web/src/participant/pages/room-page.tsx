import { Fragment } from 'react'
import { texts } from '../../text/participant.ts'
import { AskFirst, useAsked } from '../frame/ask-first.tsx'
import { StateClock, StateProgress } from '../frame/state-head.tsx'
import type { Stage } from '../journey/stage.ts'
import { disclosedCompany, namesOf } from '../room/names.ts'
import { absencesInCrowd, absencesOf } from '../room/others.ts'
import { RoomFrame } from '../room/room-frame.tsx'
import { unreadVerdict } from '../room/unread-verdict.ts'
import { AgentTag } from '../views/display/agent-tag.tsx'
import { connectionText } from './connection-text.ts'
import { Page } from './page.tsx'

export function RoomPage({ stage }: { stage: Extract<Stage, { kind: 'room' }> }) {
  const { view, actions, notice, newcomers, connection } = stage
  const verdict = unreadVerdict(view.self)
  const asked = useAsked()
  const { state } = view
  return (
    <Page
      hasOwnCards
      head={
        <>
          {state && <StateProgress view={view} state={state} />}
          {state && <StateClock view={view} state={state} serverNow={actions.serverNow} />}
          <button
            type="button"
            className="link page-leave"
            aria-label={texts().room.leave.open}
            onClick={() => asked.current?.showModal()}
          >
            {texts().frame.leave}
          </button>
        </>
      }
    >
      <Company view={view} />
      {verdict && (
        <p className="banner" role="status">
          {verdict}
        </p>
      )}
      {state ? (
        <RoomFrame view={view} state={state} actions={actions} />
      ) : (
        <p role="status">{texts().loading}</p>
      )}
      <Notices view={view} notice={notice} newcomers={newcomers} connection={connection} />
      <AskFirst
        asked={asked}
        words={texts().room.leave}
        onConfirm={() => void actions.leave().catch(() => undefined)}
      />
    </Page>
  )
}

type NoticesProps = Pick<Extract<Stage, { kind: 'room' }>, 'view' | 'notice' | 'newcomers' | 'connection'>

/** Above the page, not in it: what comes and goes must not move what somebody is about to press. */
function Notices({ view, notice, newcomers, connection }: NoticesProps) {
  const { away, dropped, gone } = absencesOf(view)
  const crowd = absencesInCrowd(view)
  const trouble = connectionText(connection, texts().room)
  const names = namesOf(view.others)
  const called = (aliases: readonly string[]) => aliases.map((alias) => names.get(alias)?.name ?? alias)
  return (
    <section className="notices" aria-label={texts().frame.notices} aria-live="polite">
      {trouble && <p className="banner is-warning">{trouble}</p>}
      {view.status === 'paused' && <p className="banner is-warning">{texts().room.paused}</p>}
      {notice && (
        <p className="banner" dir="auto">
          {notice}
        </p>
      )}
      {newcomers.length > 0 && <p className="banner is-quiet">{texts().room.seated(called(newcomers))}</p>}
      {away.length > 0 && <p className="banner is-quiet">{texts().room.away(called(away))}</p>}
      {dropped.length > 0 && <p className="banner is-quiet">{texts().room.dropped(called(dropped))}</p>}
      {crowd && crowd.absent > 0 && (
        <p className="banner is-quiet">{texts().room.absentInCrowd(crowd.absent, crowd.of)}</p>
      )}
      {gone.length > 0 && <p className="banner is-quiet">{texts().room.gone(called(gone))}</p>}
    </section>
  )
}

/** R43: who takes part with this person, where agents among them are disclosed; also in studies without a chat. */
function Company({ view }: Pick<NoticesProps, 'view'>) {
  if (view.crowd && view.crowd.agents > 0)
    return <p className="company">{texts().room.agentsInCrowd(view.crowd.agents, view.crowd.members)}</p>
  const company = disclosedCompany(view.others)
  if (company.length === 0) return null
  return (
    <p className="company">
      {texts().room.company}{' '}
      {company.map(({ name, isAgent }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          {name}
          {isAgent && <AgentTag />}
        </Fragment>
      ))}
    </p>
  )
}

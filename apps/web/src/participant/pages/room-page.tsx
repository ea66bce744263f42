import { Fragment, useRef } from 'react'
import { texts } from '../../text/participant.ts'
import type { Stage } from '../journey/stage.ts'
import { absencesOf } from '../room/absences.ts'
import { disclosedCompany, namesOf } from '../room/names.ts'
import { RoomFrame } from '../room/room-frame.tsx'
import { AgentTag } from '../views/display/agent-tag.tsx'
import { connectionText } from './connection-text.ts'
import { Page } from './page.tsx'

export function RoomPage({ stage }: { stage: Extract<Stage, { kind: 'room' }> }) {
  const { view, desk, notice, newcomers, connection } = stage
  const asked = useRef<HTMLDialogElement>(null)
  const { state } = view
  return (
    <Page
      aside={
        <button type="button" className="link" onClick={() => asked.current?.showModal()}>
          {texts().room.leave.open}
        </button>
      }
    >
      <Banners view={view} notice={notice} newcomers={newcomers} connection={connection} />
      {state ? <RoomFrame view={view} state={state} desk={desk} /> : <p role="status">{texts().loading}</p>}
      <Company view={view} />
      <dialog ref={asked} aria-labelledby="leave-title">
        <h2 id="leave-title">{texts().room.leave.title}</h2>
        <p>{texts().room.leave.message}</p>
        <form method="dialog" className="choices">
          <button type="submit" className="button">
            {texts().room.leave.stay}
          </button>
          <button
            type="button"
            className="button is-quiet"
            onClick={() => void desk.leave().catch(() => undefined)}
          >
            {texts().room.leave.confirm}
          </button>
        </form>
      </dialog>
    </Page>
  )
}

type BannersProps = Pick<Extract<Stage, { kind: 'room' }>, 'view' | 'notice' | 'newcomers' | 'connection'>

function Banners({ view, notice, newcomers, connection }: BannersProps) {
  const { away, dropped, gone } = absencesOf(view)
  const trouble = connectionText(connection, texts().room)
  const names = namesOf(view.others)
  const called = (aliases: readonly string[]) => aliases.map((alias) => names.get(alias)?.name ?? alias)
  return (
    <div aria-live="polite">
      {trouble && <p className="banner is-warning is-floating">{trouble}</p>}
      {view.status === 'paused' && <p className="banner is-warning">{texts().room.paused}</p>}
      {notice && <p className="banner">{notice}</p>}
      {newcomers.length > 0 && <p className="banner is-quiet">{texts().room.seated(called(newcomers))}</p>}
      {away.length > 0 && <p className="banner is-quiet">{texts().room.away(called(away))}</p>}
      {dropped.length > 0 && <p className="banner is-quiet">{texts().room.dropped(called(dropped))}</p>}
      {gone.length > 0 && <p className="banner is-quiet">{texts().room.gone(called(gone))}</p>}
    </div>
  )
}

/** R43: who takes part with this person, where agents among them are disclosed; also in studies without a chat. */
function Company({ view }: Pick<BannersProps, 'view'>) {
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

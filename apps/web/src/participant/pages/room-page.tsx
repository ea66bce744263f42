import type { ConnectionStatus } from '@atrium/client'
import { useRef } from 'react'
import { texts } from '../../text/participant.ts'
import type { Stage } from '../journey/stage.ts'
import { absencesOf } from '../room/absences.ts'
import { RoomFrame } from '../room/room-frame.tsx'
import { Page } from './page.tsx'

export function RoomPage({ stage }: { stage: Extract<Stage, { kind: 'room' }> }) {
  const { view, desk, notice, connection } = stage
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
      <Banners view={view} notice={notice} connection={connection} />
      {state ? <RoomFrame view={view} state={state} desk={desk} /> : <p role="status">{texts().loading}</p>}
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

type BannersProps = Pick<Extract<Stage, { kind: 'room' }>, 'view' | 'notice' | 'connection'>

function Banners({ view, notice, connection }: BannersProps) {
  const { away, dropped, gone } = absencesOf(view)
  return (
    <div aria-live="polite">
      {!isThere(connection) && <p className="banner is-warning">{texts().room.connectionLost}</p>}
      {view.status === 'paused' && <p className="banner is-warning">{texts().room.paused}</p>}
      {notice && <p className="banner">{notice}</p>}
      {away.length > 0 && <p className="banner is-quiet">{texts().room.away(away)}</p>}
      {dropped.length > 0 && <p className="banner is-quiet">{texts().room.dropped(dropped)}</p>}
      {gone.length > 0 && <p className="banner is-quiet">{texts().room.gone(gone)}</p>}
    </div>
  )
}

/** A connection that is being made for the first time is not worth a warning. */
const isThere = ({ kind }: ConnectionStatus): boolean => kind === 'connected' || kind === 'connecting'

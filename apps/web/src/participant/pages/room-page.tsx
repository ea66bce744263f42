import type { ConnectionStatus } from '@atrium/client'
import { useRef } from 'react'
import type { Stage } from '../journey/stage.ts'
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
          Leave the study
        </button>
      }
    >
      <Banners view={view} notice={notice} connection={connection} />
      {state ? <RoomFrame view={view} state={state} desk={desk} /> : <p role="status">One moment …</p>}
      <dialog ref={asked} aria-labelledby="leave-title">
        <h2 id="leave-title">Leave the study?</h2>
        <p>You cannot come back to it. What you have answered so far is kept.</p>
        <form method="dialog" className="choices">
          <button type="submit" className="button">
            Stay
          </button>
          <button
            type="button"
            className="button is-quiet"
            onClick={() => void desk.leave().catch(() => undefined)}
          >
            Leave
          </button>
        </form>
      </dialog>
    </Page>
  )
}

type BannersProps = Pick<Extract<Stage, { kind: 'room' }>, 'view' | 'notice' | 'connection'>

function Banners({ view, notice, connection }: BannersProps) {
  const away = view.others.filter(({ status, presence }) => status === 'active' && presence === 'away')
  return (
    <div aria-live="polite">
      {!isThere(connection) && (
        <p className="banner is-warning">The connection is lost. It is tried again; nothing is lost.</p>
      )}
      {view.status === 'paused' && (
        <p className="banner is-warning">The study is paused. It goes on by itself in a moment.</p>
      )}
      {notice && <p className="banner">{notice}</p>}
      {away.length > 0 && (
        <p className="banner is-quiet">
          {away.map(({ alias }) => alias).join(', ')} {away.length === 1 ? 'has' : 'have'} lost the
          connection.
        </p>
      )}
    </div>
  )
}

/** The first moments of a connection are no news. */
const isThere = ({ kind }: ConnectionStatus): boolean => kind === 'connected' || kind === 'connecting'

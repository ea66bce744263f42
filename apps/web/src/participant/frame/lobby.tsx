import { texts } from '../../text/participant.ts'
import './lobby.css'

export interface LobbyProps {
  taken: number
  of: number
  /** With fewer it does not start, not even at the deadline; undefined where nobody can say. */
  least: number | undefined
}

/** How full a group is that has too many seats to draw each of them. */
export function Lobby({ taken, of, least }: LobbyProps) {
  const { seats, lobby } = texts().frame.waitingRoom
  const shareOf = (people: number): string => `${(100 * Math.min(people, of)) / of}%`
  return (
    <div className="lobby">
      <p className="lobby-count">{lobby.here(taken, of)}</p>
      <div className="lobby-bar" role="img" aria-label={seats(taken, of)}>
        <span className="lobby-taken" style={{ inlineSize: shareOf(taken) }} />
        {least !== undefined && <span className="lobby-least" style={{ insetInlineStart: shareOf(least) }} />}
      </div>
      {least !== undefined && <p className="lobby-note">{lobby.least(least)}</p>}
    </div>
  )
}

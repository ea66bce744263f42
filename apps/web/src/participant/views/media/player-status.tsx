import { texts } from '../../../text/participant.ts'
import { Refusal } from '../gates/refusal.tsx'
import { statusText } from './status-text.ts'
import type { Playback } from './use-playback.ts'

interface PlayerStatusProps extends Playback {
  kind: 'video' | 'audio'
  isStill: boolean
  /** How much of the beginning is loaded, from 0 to 1, where that is known. */
  loaded: number | undefined
}

/** What the player is doing, and what to do when something went wrong. */
export function PlayerStatus(props: PlayerStatusProps) {
  const { phase, inStep, isBuffering, isRatingAwaited, refusal, retry, sendAgain, kind, isStill, loaded } =
    props
  return (
    <>
      <p className="player-status" role="status">
        {statusText({ phase, inStep, isBuffering, isStill, isRatingAwaited, kind, loaded })}
      </p>
      {phase === 'failed' && (
        <div className="notice is-bad">
          <p>{texts().views.media.notLoaded(kind)}</p>
          <button type="button" className="button" onClick={retry}>
            {texts().views.media.tryAgain}
          </button>
        </div>
      )}
      <Refusal message={refusal} />
      {refusal !== undefined && (
        <button type="button" className="button is-quiet" onClick={sendAgain}>
          {texts().views.media.sendAgain}
        </button>
      )}
    </>
  )
}

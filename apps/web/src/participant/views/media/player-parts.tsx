import { texts } from '../../../text/participant.ts'
import { Refusal } from '../questions/problem.tsx'
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

/** A loudspeaker, where other media have a picture. */
export const SoundPicture = () => (
  <svg
    className="sound"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M4 10v4h4l5 4V6l-5 4z" />
    <path d="M16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11" />
  </svg>
)

export function StartButton({ startLabel, start }: Pick<Playback, 'startLabel' | 'start'>) {
  if (startLabel === undefined) return null
  return (
    <button type="button" className="button start-button" onClick={start}>
      <span aria-hidden="true">▶</span> {startLabel}
    </button>
  )
}

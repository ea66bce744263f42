import { useLayoutEffect, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { Refusal } from '../gates/refusal.tsx'
import { useStage } from './media-stage.tsx'
import { PlayedTime } from './played-time.tsx'
import { type Playback, type PlayerProps, usePlayback } from './use-playback.ts'
import './media.css'

export function Player(player: PlayerProps) {
  const { label, src, kind } = player
  return (
    <figure className={`player is-${kind}`}>
      {label !== undefined && <figcaption className="question-label">{label}</figcaption>}
      {src === undefined ? <NothingToPlay {...player} /> : <PlayingFile key={src} {...player} src={src} />}
    </figure>
  )
}

/** Still registers on the stage, so that ratings do not start without it. */
function NothingToPlay({ kind, videoId, props }: PlayerProps) {
  useStaged(props.component.id, null)
  const { noAddress, noUpload } = texts().views.media
  return (
    <p className="notice is-warning">{videoId === undefined ? noAddress(kind) : noUpload(kind, videoId)}</p>
  )
}

function PlayingFile(player: PlayerProps & { src: string }) {
  const { kind, src, controls, poster, captions, label, durationMs, props } = player
  const [element, setElement] = useState<HTMLMediaElement | null>(null)
  // Captions need CORS, which not every host allows: a film without captions is better than no film.
  const [withCors, setWithCors] = useState(captions !== undefined && isElsewhere(captions))
  useStaged(props.component.id, element)
  const playback = usePlayback(element, player)
  const Medium = kind
  const video = kind === 'video' && {
    poster,
    playsInline: true,
    disablePictureInPicture: !controls,
  }
  return (
    <>
      <div className="screen" data-phase={playback.phase}>
        <Medium
          key={String(withCors)}
          ref={setElement}
          src={src}
          controls={controls}
          controlsList="nodownload"
          preload="auto"
          aria-label={label ?? texts().views.media.label[kind]}
          {...video}
          {...(withCors && { crossOrigin: 'anonymous' as const })}
          {...playback.on}
          onError={() => (withCors ? setWithCors(false) : playback.fail())}
        >
          {captions !== undefined && <track kind="captions" src={captions} default />}
        </Medium>
        <StartButton {...playback} />
      </div>
      {!controls && <PlayedTime element={element} durationMs={durationMs} />}
      <Status {...playback} kind={kind} isStill={props.scene.isStill} />
    </>
  )
}

function useStaged(id: string, element: HTMLMediaElement | null) {
  const stage = useStage()
  // A layout effect, so that ratings know what they wait for before anything is painted or sampled.
  useLayoutEffect(() => stage.enter({ id, element }), [stage, id, element])
}

const isElsewhere = (address: string) => new URL(address, location.href).origin !== location.origin

function StartButton({ startLabel, start }: Playback) {
  if (startLabel === undefined) return null
  return (
    <button type="button" className="button start-button" onClick={start}>
      <span aria-hidden="true">▶</span> {startLabel}
    </button>
  )
}

function Status({ phase, isBuffering, refusal, retry, sendAgain, kind, isStill }: Playback & StatusProps) {
  return (
    <>
      <p className="player-status" role="status">
        {statusText({ phase, isBuffering, isStill, kind })}
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

interface StatusProps {
  kind: 'video' | 'audio'
  isStill: boolean
}

function statusText({
  phase,
  isBuffering,
  isStill,
  kind,
}: Pick<Playback, 'phase' | 'isBuffering'> & StatusProps): string {
  if (phase === 'ended') return texts().views.media.ended(kind)
  if (phase === 'failed') return ''
  if (isStill) return texts().views.media.paused
  return phase === 'loading' || (phase === 'playing' && isBuffering) ? texts().views.media.loading : ''
}

import { useState } from 'react'
import { texts } from '../../../text/participant.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { Conductor } from './conductor.tsx'
import { PlayedTime } from './played-time.tsx'
import { PlayerStatus, SoundPicture, StartButton } from './player-parts.tsx'
import { PlayingUpload } from './playing-upload.tsx'
import { type PlayerProps, usePlayback, useStaged } from './use-playback.ts'
import './media.css'

export const Video = (props: SettledProps<'video'>) => (
  <Player kind="video" props={props} {...props.settings} />
)

export const Audio = (props: SettledProps<'audio'>) => (
  <Player kind="audio" props={props} {...props.settings} poster={undefined} captions={undefined} />
)

function Player(player: PlayerProps) {
  const { label, src, videoId, kind } = player
  return (
    <figure className={`player is-${kind}`}>
      {label !== undefined && <figcaption className="question-label">{label}</figcaption>}
      {src !== undefined ? (
        <PlayingFile key={src} {...player} src={src} />
      ) : videoId !== undefined ? (
        <PlayingUpload key={videoId} {...player} videoId={videoId} />
      ) : (
        <NothingToPlay {...player} />
      )}
    </figure>
  )
}

/** Still registers on the stage, so that ratings do not start without it. */
function NothingToPlay({ kind, props }: PlayerProps) {
  useStaged(props.component.id, null, undefined)
  return <p className="notice is-warning">{texts().views.media.noAddress(kind)}</p>
}

function PlayingFile(player: PlayerProps & { src: string }) {
  const { kind, src, controls, poster, captions, label, durationMs, props } = player
  const [element, setElement] = useState<HTMLMediaElement | null>(null)
  // Captions need CORS, which not every host allows: a video without captions is better than no video.
  const [withCors, setWithCors] = useState(captions !== undefined && isElsewhere(captions))
  const playback = usePlayback(element, player)
  useStaged(props.component.id, element, playback)
  const Medium = kind
  const video = kind === 'video' && {
    poster,
    playsInline: true,
    disablePictureInPicture: !controls,
  }
  return (
    <>
      <div className="screen" data-phase={playback.phase}>
        {kind === 'audio' && !controls && <SoundPicture />}
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
      <Conductor player={player} inStep={playback.inStep} durationMs={durationMs} element={element} />
      <PlayerStatus {...playback} kind={kind} isStill={props.scene.isStill} loaded={undefined} />
    </>
  )
}

const isElsewhere = (address: string) => new URL(address, location.href).origin !== location.origin

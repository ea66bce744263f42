import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { texts } from '../../../text/participant.ts'
import type { UploadedMedia, UploadedState } from '../../media/uploaded-media.ts'
import { Conductor } from './conductor.tsx'
import { PlayedTime } from './played-time.tsx'
import { PlayerStatus, SoundPicture, StartButton } from './player-parts.tsx'
import { type Playback, type PlayerProps, usePlayback, useStaged } from './use-playback.ts'

type UploadProps = PlayerProps & { videoId: string }

/** An uploaded video or audio. Its element may have been loading since the room was entered. */
export function PlayingUpload(player: UploadProps) {
  const { kind, videoId, controls, props } = player
  const media = useUploadedMedia(player)
  const state = useUploadedState(media)
  const element = media?.element ?? null
  const playback = usePlayback(element, player, () => media?.retry())
  useStaged(props.component.id, element, playback)
  useNativeEvents(element, playback.on)
  const fail = useEffectEvent(playback.fail)
  useEffect(() => {
    if (state.kind === 'failed') fail()
  }, [state.kind])
  const { noUpload, unsupported } = texts().views.media
  if (state.kind === 'missing') return <p className="notice is-warning">{noUpload(kind, videoId)}</p>
  if (state.kind === 'unsupported') return <p className="notice is-bad">{unsupported(kind)}</p>
  const durationMs = player.durationMs ?? media?.durationMs
  return (
    <>
      <div className="screen" data-phase={playback.phase}>
        {kind === 'audio' && !controls && <SoundPicture />}
        <Held element={element} />
        <StartButton {...playback} />
      </div>
      {!controls && <PlayedTime element={element} durationMs={durationMs} />}
      <Conductor player={player} inStep={playback.inStep} durationMs={durationMs} element={element} />
      <PlayerStatus
        {...playback}
        kind={kind}
        isStill={props.scene.isStill}
        loaded={state.kind === 'loading' ? state.progress : undefined}
      />
    </>
  )
}

/** Takes the medium when the view comes, and closes it when the view goes. */
function useUploadedMedia(player: UploadProps): UploadedMedia | undefined {
  const { kind, videoId, props } = player
  const [media, setMedia] = useState<UploadedMedia>()
  const take = useEffectEvent(() => {
    const taken = props.scene.media.take(videoId, kind)
    dress(taken.element, player)
    setMedia(taken)
    return taken
  })
  useEffect(() => {
    const taken = take()
    return () => taken.close()
  }, [])
  return media
}

const loadingState: UploadedState = { kind: 'loading', progress: 0 }
const nothing = () => () => undefined

const useUploadedState = (media: UploadedMedia | undefined): UploadedState =>
  useSyncExternalStore(media?.subscribe ?? nothing, () => media?.state() ?? loadingState)

/** The settings of the component, as the element of a plain file has them. */
function dress(element: HTMLMediaElement, { kind, controls, poster, captions, label }: UploadProps): void {
  element.controls = controls
  element.setAttribute('controlslist', 'nodownload')
  element.setAttribute('aria-label', label ?? texts().views.media.label[kind])
  if (element instanceof HTMLVideoElement) {
    element.playsInline = true
    element.disablePictureInPicture = !controls
    if (poster !== undefined) element.poster = poster
  }
  if (captions === undefined) return
  const track = document.createElement('track')
  track.kind = 'captions'
  track.src = captions
  track.default = true
  element.append(track)
}

/** Shows an element that React has not made. */
function Held({ element }: { element: HTMLMediaElement | null }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (element) place.current?.replaceChildren(element)
  }, [element])
  return <div ref={place} className="held-element" />
}

const events = {
  canplay: 'onCanPlay',
  loadedmetadata: 'onLoadedMetadata',
  play: 'onPlay',
  pause: 'onPause',
  waiting: 'onWaiting',
  playing: 'onPlaying',
  timeupdate: 'onTimeUpdate',
  seeking: 'onSeeking',
  ended: 'onEnded',
} as const satisfies Record<string, keyof Playback['on']>

const haveFutureData = 3

function useNativeEvents(element: HTMLMediaElement | null, on: Playback['on']) {
  const handle = useEffectEvent((handler: keyof Playback['on'], currentTarget: HTMLMediaElement) =>
    on[handler]({ currentTarget }),
  )
  useEffect(() => {
    if (!element) return
    const listeners = Object.entries(events).map(([name, handler]) => {
      const listener = () => handle(handler, element)
      element.addEventListener(name, listener)
      return { name, listener }
    })
    // What was loaded in advance will not say so again.
    if (element.readyState >= haveFutureData) handle('onCanPlay', element)
    return () => {
      for (const { name, listener } of listeners) element.removeEventListener(name, listener)
    }
  }, [element])
}

import type { ReceivedSettings } from '@atrium/contract'
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { useSending } from '../gates/use-sending.ts'
import type { ViewProps } from '../view.ts'
import { useIsHeld, useStage } from './media-stage.tsx'

type Phase = 'loading' | 'waiting' | 'playing' | 'paused' | 'ended' | 'failed'
export type Playback = ReturnType<typeof usePlayback>

/** A larger jump than this counts as seeking. */
const seekToleranceS = 0.75

/** A medium with the settings of its component. */
export interface PlayerProps extends ReceivedSettings<'video'> {
  kind: 'video' | 'audio'
  props: ViewProps
}

/** Plays one file from loading to its end: starts it, holds it, and reports once that it has ended. */
export function usePlayback(element: HTMLMediaElement | null, { controls, autoplay, props }: PlayerProps) {
  const { component, scene, recorded } = props
  const wasOver = recorded !== undefined
  const [phase, setPhase] = useState<Phase>('loading')
  const [isBuffering, setIsBuffering] = useState(false)
  const isHeld = useIsHeld(component.id) || scene.isStill
  const position = useRef(0)
  const end = useEnd(element, props)

  const play = () => {
    // Browsers refuse to play sound without a user gesture: then a button asks for one.
    element?.play().catch(() => setPhase((now) => (now === 'failed' ? now : 'waiting')))
  }
  useHolding(element, isHeld, phase, play)

  const on = {
    onCanPlay: () => {
      if (phase !== 'loading') return
      setPhase('waiting')
      if (autoplay && !isHeld && !wasOver) play()
    },
    onLoadedMetadata: ({ currentTarget }: MediaEvent) => {
      if (position.current > 0) currentTarget.currentTime = position.current // After an error, playback resumes there.
    },
    onPlay: ({ currentTarget }: MediaEvent) => {
      if (isHeld) currentTarget.pause()
      else setPhase('playing')
    },
    onPause: () => setPhase((now) => (now === 'playing' ? 'paused' : now)),
    onWaiting: () => setIsBuffering(true),
    onPlaying: () => setIsBuffering(false),
    onTimeUpdate: ({ currentTarget }: MediaEvent) => {
      if (!currentTarget.seeking) position.current = currentTarget.currentTime
    },
    onSeeking: ({ currentTarget }: MediaEvent) => {
      // Media keys and a phone’s lock screen can seek even without controls.
      const isJump = Math.abs(currentTarget.currentTime - position.current) > seekToleranceS
      if (!controls && isJump) currentTarget.currentTime = position.current
    },
    onEnded: () => {
      setPhase('ended')
      void end.report()
    },
  }
  return {
    phase: wasOver && phase === 'waiting' ? ('ended' as const) : phase,
    isBuffering,
    startLabel: startLabelOf({ phase, controls, isHeld, wasOver }),
    start: play,
    fail: () => setPhase('failed'),
    retry: () => {
      setPhase('loading')
      element?.load()
    },
    refusal: end.refusal,
    sendAgain: () => void end.report(),
    on,
  }
}

type MediaEvent = SyntheticEvent<HTMLMediaElement>

/** Undefined if no button is needed. */
function startLabelOf({
  phase,
  controls,
  isHeld,
  wasOver,
}: {
  phase: Phase
  controls: boolean
  isHeld: boolean
  wasOver: boolean
}): string | undefined {
  if (isHeld || wasOver) return undefined
  if (phase === 'waiting') return texts().views.media.start
  // Paused by the phone or an unplugged headset; with controls there is already a button.
  return phase === 'paused' && !controls ? texts().views.media.continue : undefined
}

/** Pauses while something holds playback, and resumes if it was playing before. */
function useHolding(element: HTMLMediaElement | null, isHeld: boolean, phase: Phase, play: () => void) {
  const wasPlaying = useRef(false)
  const onChange = useEffectEvent(() => {
    if (isHeld) {
      wasPlaying.current = phase === 'playing'
      element?.pause()
    } else if (wasPlaying.current) {
      wasPlaying.current = false
      if (!element?.ended) play()
    }
  })
  useEffect(() => onChange(), [isHeld])
}

/** Reports the end once, after its ratings are stored: the state may end with it. */
function useEnd(element: HTMLMediaElement | null, { component, send, recorded }: PlayerProps['props']) {
  const stage = useStage()
  const { refusal, submit } = useSending(send)
  const isReported = useRef(false)
  const report = async () => {
    if (isReported.current || recorded !== undefined || !element) return
    isReported.current = true
    const positionMs = Math.round(element.currentTime * 1_000)
    await stage.beforeEnd(component.id)
    if (!element.isConnected) return
    isReported.current = await submit({ ended: true, positionMs })
  }
  return { refusal, report }
}

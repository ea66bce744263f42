import type { ReceivedSettings } from '@atrium/contract/components'
import { type SyntheticEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { useSending } from '../gates/use-sending.ts'
import type { ViewProps } from '../view.ts'
import { useIsHeld, useStage } from './media-stage.tsx'
import { type InStep, useInStep } from './use-in-step.ts'

type Phase = 'loading' | 'waiting' | 'playing' | 'paused' | 'ended' | 'failed'
export type Playback = ReturnType<typeof usePlayback>

/** A larger jump than this counts as seeking. */
const seekToleranceS = 0.75

/** A medium with the settings of its component. */
export interface PlayerProps extends ReceivedSettings<'video'> {
  kind: 'video' | 'audio'
  props: ViewProps
}

/**
 * Plays one medium from loading to its end, and reports once that it has ended. Alone it starts, holds and resumes it
 * here; in step the room does, and the controller of the SDK follows.
 */
export function usePlayback(
  element: HTMLMediaElement | null,
  { controls, autoplay, props }: PlayerProps,
  reload = () => element?.load(),
) {
  const { component, scene, recorded } = props
  const wasOver = recorded !== undefined
  const [phase, setPhase] = useState<Phase>('loading')
  const [isBuffering, setIsBuffering] = useState(false)
  const isRatingAwaited = useIsHeld(component.id)
  const isHeldHere = isRatingAwaited || scene.isStill
  const position = useRef(0)
  const end = useEnd(element, props)
  const finish = () => {
    setPhase('ended')
    void end.report()
  }
  const inStep = useInStep(element, props, finish)
  const isAlone = inStep.kind === 'alone'
  const isHeld = isAlone && isHeldHere

  const play = () => {
    element?.play().catch((error: unknown) => {
      // Browsers refuse to play sound without a user gesture: then a button asks for one. A pause that overtakes
      // the start is no refusal: whoever paused it plays it again.
      if (!isInterruption(error)) setPhase((now) => (now === 'failed' ? now : 'waiting'))
    })
  }
  useHolding(element, isHeld, play, finish)
  useStartAlone(isAlone && autoplay && !isHeld && !wasOver, phase, play)

  const on = {
    onCanPlay: () => {
      if (phase === 'loading') setPhase('waiting')
    },
    onLoadedMetadata: ({ currentTarget }: MediaEvent) => {
      // After an error, playback resumes there.
      if (isAlone && position.current > 0) currentTarget.currentTime = position.current
    },
    onPlay: ({ currentTarget }: MediaEvent) => {
      if (isHeld) currentTarget.pause()
      else if (isAlone) setPhase('playing')
      // A role can play again what has ended.
      else setPhase((now) => (now === 'ended' ? 'waiting' : now))
    },
    onPause: () => setPhase((now) => (now === 'playing' ? 'paused' : now)),
    onWaiting: () => setIsBuffering(true),
    onPlaying: () => setIsBuffering(false),
    onTimeUpdate: ({ currentTarget }: MediaEvent) => {
      if (!currentTarget.seeking) position.current = currentTarget.currentTime
    },
    onSeeking: ({ currentTarget }: MediaEvent) => {
      // Media keys and a phone’s lock screen can seek even without controls. In step, the controller brings it back.
      const isJump = Math.abs(currentTarget.currentTime - position.current) > seekToleranceS
      if (isAlone && !controls && isJump) currentTarget.currentTime = position.current
    },
    onEnded: finish,
  }
  const shown = wasOver && isAlone && phase === 'waiting' ? 'ended' : phaseInStep(phase, inStep)
  return {
    phase: shown,
    inStep,
    isBuffering,
    isRatingAwaited,
    startLabel: startLabelOf({ phase, controls, isHeld, wasOver, inStep }),
    start: inStep.kind === 'in_step' ? inStep.allow : play,
    fail: () => setPhase('failed'),
    retry: () => {
      setPhase('loading')
      reload()
    },
    refusal: end.refusal,
    sendAgain: () => void end.report(),
    on,
  }
}

const isInterruption = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

export type MediaEvent = Pick<SyntheticEvent<HTMLMediaElement>, 'currentTarget'>

/** In step, the room says whether it plays; loading, failing and ending are the player's own. */
function phaseInStep(phase: Phase, inStep: InStep): Phase {
  if (inStep.kind !== 'in_step' || phase === 'loading' || phase === 'failed' || phase === 'ended')
    return phase
  return inStep.state.status === 'playing' ? 'playing' : 'waiting'
}

/** Undefined if no button is needed. */
function startLabelOf({
  phase,
  controls,
  isHeld,
  wasOver,
  inStep,
}: {
  phase: Phase
  controls: boolean
  isHeld: boolean
  wasOver: boolean
  inStep: InStep
}): string | undefined {
  if (isHeld || wasOver || inStep.kind === 'awaited') return undefined
  if (inStep.kind === 'in_step') return inStep.isGestureNeeded ? texts().views.media.start : undefined
  if (phase === 'waiting') return texts().views.media.start
  // Paused by the phone or an unplugged headset; with controls there is already a button.
  return phase === 'paused' && !controls ? texts().views.media.continue : undefined
}

/** Starts once after loading, when nothing stands in the way any more and it is known that it plays alone. */
function useStartAlone(mayStart: boolean, phase: Phase, play: () => void) {
  const hasStarted = useRef(false)
  const start = useEffectEvent(() => {
    if (phase === 'loading') hasStarted.current = false
    if (!mayStart || phase !== 'waiting' || hasStarted.current) return
    hasStarted.current = true
    play()
  })
  useEffect(() => start(), [mayStart, phase])
}

/** Pauses while something holds playback, and resumes if it was playing before. */
function useHolding(element: HTMLMediaElement | null, isHeld: boolean, play: () => void, finish: () => void) {
  const wasPlaying = useRef(false)
  const onChange = useEffectEvent(() => {
    if (isHeld) {
      // The element knows it before its event arrives here: a hold may come right after a start.
      wasPlaying.current = element !== null && !element.paused
      element?.pause()
    } else if (wasPlaying.current) {
      wasPlaying.current = false
      // A medium that is paused in the very moment of its end may never say that it has ended.
      if (element?.ended) finish()
      else play()
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

/** Puts a medium on the stage, where ratings find it, with the room's position while it plays in step. */
export function useStaged(id: string, element: HTMLMediaElement | null, playback: Playback | undefined) {
  const stage = useStage()
  const inStep = playback?.inStep.kind === 'in_step' ? playback.inStep : undefined
  const roomPositionMs = inStep?.positionMs
  const isOver = inStep !== undefined && playback?.phase === 'ended'
  // A layout effect, so that ratings know what they wait for before anything is painted or sampled.
  useLayoutEffect(
    () => stage.enter({ id, element, roomPositionMs, isOver }),
    [stage, id, element, roomPositionMs, isOver],
  )
}

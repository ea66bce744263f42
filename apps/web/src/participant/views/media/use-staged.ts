import { useLayoutEffect } from 'react'
import { useStage } from './media-stage.tsx'
import type { Playback } from './use-playback.ts'

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

import { useLayoutEffect } from 'react'
import { useStage } from './media-stage.tsx'
import type { InStep } from './use-in-step.ts'

/** Puts a medium on the stage, where ratings find it, with the room's position while it plays in step. */
export function useStaged(id: string, element: HTMLMediaElement | null, inStep: InStep | undefined) {
  const stage = useStage()
  const roomPositionMs = inStep?.kind === 'in_step' ? inStep.positionMs : undefined
  // A layout effect, so that ratings know what they wait for before anything is painted or sampled.
  useLayoutEffect(() => stage.enter({ id, element, roomPositionMs }), [stage, id, element, roomPositionMs])
}

import type { RoomSnapshot, StateView } from '@atrium/contract'
import { texts } from '../../text/participant.ts'
import { isShownByStudy } from './shown-by-study.ts'

/** How far the participant is, where the study has more than one step and does not show it itself. */
export function StateProgress({ view, state }: { view: RoomSnapshot; state: StateView }) {
  const { done, of } = view.progress
  if (of < 2 || isShownByStudy('progress', view, state)) return null
  // `done` counts completed steps; people also count the one they are in.
  const step = Math.min(done + 1, of)
  return (
    <span className="state-progress">
      <progress aria-label={texts().views.progress.label} value={Math.min(done, of)} max={of} />
      <span className="state-step">{texts().frame.step(step, of)}</span>
      <span className="state-step-short" aria-hidden="true" dir="ltr">
        {step}/{of}
      </span>
    </span>
  )
}

import type { RoomSnapshot, StateView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import { announcementOf, clockFace } from '../views/display/clock-face.ts'
import { useServerNow } from '../views/display/use-server-now.ts'
import { deadlineShown } from './deadline-shown.ts'

interface StateClockProps {
  view: RoomSnapshot
  state: StateView
  serverNow(): number
}

/**
 * What can cut somebody off is always in view: every state with a deadline shows its clock, unless a component of the
 * study already does, or the study hides its time limit. Mounted again for every visit.
 */
export function StateClock({ view, state, serverNow }: StateClockProps) {
  const deadlineAt = deadlineShown(state)
  return deadlineAt === null || isShownByStudy('clock', view, state) ? null : (
    <Running key={state.visit} {...{ view, state, serverNow, deadlineAt }} />
  )
}

function Running({ view, state, serverNow, deadlineAt }: StateClockProps & { deadlineAt: number }) {
  const now = useServerNow({ serverNow, isStill: view.status !== 'running' })
  const leftMs = deadlineAt - now
  const [arrivedWithMs] = useState(leftMs)
  return (
    <span className="state-clock" data-urgent={isLastTenth(state.enteredAt, deadlineAt, now) || undefined}>
      <time className="state-clock-face" role="timer" aria-label={texts().frame.timeLeft}>
        {clockFace(leftMs, 'down')}
      </time>
      <span className="visually-hidden" role="status">
        {announcementOf(leftMs, arrivedWithMs)}
      </span>
    </span>
  )
}

const isLastTenth = (enteredAt: number, deadlineAt: number, now: number): boolean =>
  deadlineAt - now <= (deadlineAt - enteredAt) / 10

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

/** Whether a component of the study already shows this part of the frame: nobody needs the same clock twice. */
const isShownByStudy = (
  part: 'clock' | 'progress',
  { globalComponents }: RoomSnapshot,
  { components }: StateView,
): boolean =>
  [...components, ...globalComponents].some(
    (component) => componentTypeOf(component.type).insteadOfFrame(component) === part,
  )

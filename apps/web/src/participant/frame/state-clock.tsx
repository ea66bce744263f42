import type { RoomSnapshot, StateView } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import { announcementOf, clockFace } from '../views/display/clock-face.ts'
import { useServerNow } from '../views/display/use-server-now.ts'
import { isShownByStudy } from './shown-by-study.ts'

interface StateClockProps {
  view: RoomSnapshot
  state: StateView
  serverNow(): number
}

/**
 * What can cut somebody off is always in view: every state with a deadline shows its clock, unless a component of the
 * study already does. Mounted again for every visit.
 */
export function StateClock({ view, state, serverNow }: StateClockProps) {
  const { deadlineAt } = state
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

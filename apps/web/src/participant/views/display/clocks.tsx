import { useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { announcementOf, clockFace } from './clock-face.ts'
import { useServerNow } from './use-server-now.ts'
import './display.css'

interface ClockProps {
  label: string | undefined
  /** Null if there is no deadline to count down to. */
  ms: number | null
  direction: 'down' | 'up'
}

function Clock({ label, ms, direction }: ClockProps) {
  if (ms === null)
    return (
      <p className="clock is-quiet">
        {label} {texts().views.clock.noLimit}
      </p>
    )
  const face = clockFace(ms, direction)
  return (
    <div className="clock">
      {label !== undefined && <span className="clock-label">{label}</span>}
      <time className="clock-face" role="timer" aria-label={label ?? texts().views.clock.label}>
        {face}
      </time>
      {direction === 'down' && <Announcement leftMs={ms} />}
    </div>
  )
}

function Announcement({ leftMs }: { leftMs: number }) {
  const [arrivedWithMs] = useState(leftMs)
  return (
    <span className="visually-hidden" role="status">
      {announcementOf(leftMs, arrivedWithMs)}
    </span>
  )
}

function Countdown({ settings: { label, durationMs }, scene }: SettledProps<'countdown'>) {
  const endsAt = durationMs === undefined ? scene.deadlineAt : scene.enteredAt + durationMs
  const now = useServerNow(scene)
  return <Clock label={label} ms={endsAt === null ? null : endsAt - now} direction="down" />
}

function Timer({ settings: { label, direction }, scene }: SettledProps<'timer'>) {
  const now = useServerNow(scene)
  const left = scene.deadlineAt === null ? null : scene.deadlineAt - now
  return <Clock label={label} ms={direction === 'up' ? now - scene.enteredAt : left} direction={direction} />
}

export const CountdownView = withSettings('countdown', Countdown)
export const TimerView = withSettings('timer', Timer)

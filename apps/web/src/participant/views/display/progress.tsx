import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import './display.css'

function Progress({ settings: { label, display }, scene: { progress } }: SettledProps<'progress'>) {
  const of = Math.max(1, progress.of)
  // `done` counts completed steps; people also count the one they are in.
  const step = Math.min(progress.done + 1, of)
  if (display === 'steps') return <p className="steps">{texts().views.progress.step(step, of, label)}</p>
  return (
    <div className="progress">
      {label !== undefined && <span className="progress-label">{label}</span>}
      <progress
        aria-label={label ?? texts().views.progress.label}
        value={Math.min(progress.done, of)}
        max={of}
      />
    </div>
  )
}

export const ProgressView = withSettings('progress', Progress)

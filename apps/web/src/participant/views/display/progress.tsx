import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import './display.css'

function Progress({ settings: { label, display }, scene: { progress } }: SettledProps<'progress'>) {
  const of = Math.max(1, progress.of)
  // `done` counts completed steps; people count the current one, too.
  const step = Math.min(progress.done + 1, of)
  if (display === 'steps')
    return (
      <p className="steps">
        {label ?? 'Step'} {step} of {of}
      </p>
    )
  return (
    <div className="progress">
      {label !== undefined && <span className="progress-label">{label}</span>}
      <progress
        aria-label={label ?? 'Progress through the study'}
        value={Math.min(progress.done, of)}
        max={of}
      />
    </div>
  )
}

export const ProgressView = withSettings('progress', Progress)

import { pageLocale, texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { amountText } from './amount.ts'
import { Markdown } from './markdown.tsx'
import './display.css'

const Text = ({ settings: { text, format } }: SettledProps<'text'>) =>
  format === 'plain' ? <p className="plain-text">{text}</p> : <Markdown text={text} />

export const TextView = withSettings('text', Text)

function Payoff({ component, settings, scene }: SettledProps<'payoff'>) {
  const { label, variable = component.id } = settings
  const value = Object.hasOwn(scene.variables, variable) ? scene.variables[variable] : undefined
  return (
    <p className="payoff" role="status">
      {label !== undefined && <span className="payoff-label">{label} </span>}
      <strong className="payoff-amount">{amountText(value, settings, pageLocale())}</strong>
    </p>
  )
}

export const PayoffView = withSettings('payoff', Payoff)

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

import { pageLocale } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { amountText } from './amount.ts'
import './display.css'

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

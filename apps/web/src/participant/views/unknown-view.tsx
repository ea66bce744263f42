import { texts } from '../../text/participant.ts'
import type { ViewProps } from './view.ts'
import './display/display.css'

/** Stands in for a component that cannot be shown, so that there is no unexplained gap. */
export function UnknownView({ component }: Pick<ViewProps, 'component'>) {
  return (
    <p className="notice is-warning">
      <strong>{texts().views.unknown.title}</strong>{' '}
      {texts().views.unknown.message(component.id, component.type)}
    </p>
  )
}

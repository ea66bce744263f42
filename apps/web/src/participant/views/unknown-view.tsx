import type { ViewProps } from './view.ts'
import './display/display.css'

/** Shown instead of an unexplained gap. */
export function UnknownView({ component }: Pick<ViewProps, 'component'>) {
  return (
    <p className="notice is-warning">
      <strong>This part of the study cannot be shown.</strong> Please tell the researchers, and name “
      {component.id}” ({component.type}). The rest of the page works as it should.
    </p>
  )
}

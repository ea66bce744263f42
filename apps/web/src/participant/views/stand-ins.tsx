import { useEffect } from 'react'
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

/**
 * The code of this part could not be fetched, usually because the platform has been updated since the page was opened: only a
 * new page knows where it is now. What was entered is kept across the reload.
 */
export function NotLoaded({ component: { id }, scene }: Pick<ViewProps, 'component' | 'scene'>) {
  const { note } = scene
  useEffect(() => note('view_failed', id, { message: 'not loaded' }), [note, id])
  return (
    <div className="notice is-warning" role="alert">
      <p>{texts().views.unknown.notLoaded}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {texts().stopped.broken.remedy}
      </button>
    </div>
  )
}

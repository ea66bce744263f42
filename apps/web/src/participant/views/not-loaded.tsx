import { useEffect } from 'react'
import { texts } from '../../text/participant.ts'
import type { ViewProps } from './view.ts'
import './display/display.css'

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

import { useEffect } from 'react'
import type { Target } from './form/form-tools.tsx'

const focusable = 'input, textarea, select, button, [tabindex]'

/** Brings the place that somebody went to into view, once it is drawn: the field itself, or what surrounds it. */
export function useFocusOn(target: Target | undefined): void {
  useEffect(() => {
    if (!target) return
    const frame = requestAnimationFrame(() => {
      for (let at = target.at; ; at = at.slice(0, at.lastIndexOf('/'))) {
        const found = document.querySelector<HTMLElement>(`[data-at="${CSS.escape(at)}"]`)
        if (found && at !== '') {
          const field = found.matches(focusable) ? found : found.querySelector<HTMLElement>(focusable)
          found.scrollIntoView({ block: 'center' })
          field?.focus({ preventScroll: true })
          return
        }
        if (!at.includes('/')) return
      }
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
}

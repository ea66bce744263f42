import { type MouseEvent, useRef } from 'react'

/**
 * Refuses presses that continue a double click on the page before: its second press would leave, or answer, a page that
 * nobody has seen. Browsers count presses at one place (`detail`), whatever has come to be there meanwhile; keys count 0.
 */
export function useOwnPresses(): (event: MouseEvent) => void {
  const hasBegun = useRef(false)
  return (event) => {
    if (event.detail <= 1) hasBegun.current = true
    if (hasBegun.current) return
    event.preventDefault()
    event.stopPropagation()
  }
}

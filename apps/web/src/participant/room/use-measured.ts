import { type RefObject, useEffect } from 'react'
import type { AnswerTimes } from './answer-times.ts'

const touches = ['focusin', 'pointerdown', 'keydown', 'input'] as const
/** What ends one way of giving an answer: releasing, choosing, leaving the field. */
const ends = ['pointerup', 'change', 'focusout'] as const

/** Measures a component on the page: when it was first painted where it can be seen, and what its reader does with it. */
export function useMeasured(
  place: RefObject<HTMLElement | null>,
  id: string,
  times: AnswerTimes | undefined,
): void {
  useEffect(() => {
    const element = place.current
    if (!element || !times) return
    const touch = (): void => times.touched(id)
    const end = (): void => times.settled(id)
    for (const name of touches) element.addEventListener(name, touch, true)
    for (const name of ends) element.addEventListener(name, end)
    const stopListening = times.listenTo(element, id)
    const stopWatching = times.isPainted(id)
      ? () => undefined
      : onFirstPaint(element, () => times.painted(id))
    return () => {
      for (const name of touches) element.removeEventListener(name, touch, true)
      for (const name of ends) element.removeEventListener(name, end)
      stopListening?.()
      stopWatching()
    }
  }, [place, id, times])
}

/** Calls once a frame with some of the element in the window has been painted; never in a tab that nobody sees. */
function onFirstPaint(element: HTMLElement, act: () => void): () => void {
  let frame = 0
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    // The callback of a frame runs before that frame is painted, so the next one's is the first to come after.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(act)
    })
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}

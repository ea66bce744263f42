import { type RefObject, useEffect } from 'react'

/**
 * While a timeline runs, keys belong to its frame. A click beside it would take them away, and participants would not know
 * why nothing happens; the next click on nothing, or the next key, gives them back.
 */
export function useKeysInFrame(frame: RefObject<HTMLIFrameElement | null>, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return
    const giveBack = () => {
      if (document.activeElement === document.body) frame.current?.focus()
    }
    const afterClick = () => requestAnimationFrame(giveBack)
    giveBack()
    window.addEventListener('keydown', giveBack)
    window.addEventListener('click', afterClick)
    return () => {
      window.removeEventListener('keydown', giveBack)
      window.removeEventListener('click', afterClick)
    }
  }, [frame, isRunning])
}

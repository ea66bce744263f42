/**
 * Focus inside one of our frames is still on the page. Where a recruiting site frames the page itself, it has no focus until
 * somebody presses something in it, so only hiding it counts.
 */
const isLeft = (): boolean =>
  document.visibilityState === 'hidden' || (window.parent === window && !document.hasFocus())

export interface PageWatch {
  isAway(): boolean
  /** The page is being loaded anew or closed: nobody has left it for something else. */
  isClosing(): boolean
  stop(): void
}

/** Tells when the page is left for another tab, window or application, and when people come back to it. */
export function watchPage(onLeft: () => void, onReturned: () => void): PageWatch {
  let isClosing = false
  /** The system’s dialogue for files takes the focus because the study asked for a file. */
  let isChoosingFile = false
  const isAway = () => isLeft() && !isChoosingFile && !isClosing

  function look(): void {
    if (isAway()) onLeft()
    else if (!isLeft()) onReturned()
  }

  const stopping = new AbortController()
  const on = (target: EventTarget, name: string, act: (event: Event) => void): void =>
    target.addEventListener(name, act, { signal: stopping.signal })
  on(document, 'visibilitychange', look)
  // Only afterwards is it known whether the focus has gone to a frame.
  on(window, 'blur', () => setTimeout(look))
  on(window, 'focus', () => {
    isChoosingFile = false
    look()
  })
  on(window, 'pagehide', () => {
    isClosing = true
  })
  on(window, 'pageshow', () => {
    isClosing = false
    look()
  })
  on(document, 'click', ({ target }) => {
    isChoosingFile = target instanceof HTMLInputElement && target.type === 'file'
  })
  return { isAway, isClosing: () => isClosing, stop: () => stopping.abort() }
}

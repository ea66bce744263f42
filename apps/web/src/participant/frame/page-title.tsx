import { type ReactNode, useEffect, useRef } from 'react'

/** Takes people who use a screen reader, or have scrolled down, to the top of what is new. */
export function PageTitle({ children, isHidden = false }: { children: ReactNode; isHidden?: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    window.scrollTo({ top: 0 })
    title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={title} tabIndex={-1} dir="auto" className={isHidden ? 'visually-hidden' : undefined}>
      {children}
    </h1>
  )
}

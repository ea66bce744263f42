import type { ReactNode } from 'react'
import { PageHead } from '../frame/page-head.tsx'

interface PageProps {
  children: ReactNode
  /** At the end of the header: progress, clock, the way out. */
  head?: ReactNode
  /** The page has its own surfaces; otherwise everything is on one card. */
  hasOwnCards?: boolean
}

/** The layout of every participant page. */
export function Page({ children, head, hasOwnCards = false }: PageProps) {
  return (
    <>
      <PageHead>{head}</PageHead>
      <main className="page">{hasOwnCards ? children : <div className="card">{children}</div>}</main>
    </>
  )
}

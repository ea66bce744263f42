import { type ReactNode, useContext } from 'react'
import { texts } from '../../text/participant.ts'
import { StudyBrandingContext } from '../frame/study-branding.ts'

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

/** The slim header of every page: whose study this is, and at its end what the page adds, such as progress and clock. */
function PageHead({ children }: { children?: ReactNode }) {
  const study = useContext(StudyBrandingContext)
  return (
    <header className="page-head">
      <div className="page-head-row">
        <img
          className="page-logo"
          src={study?.appearance?.logo ?? '/icon.svg'}
          alt=""
          width={24}
          height={24}
          referrerPolicy="no-referrer"
        />
        <span className="page-name" dir="auto">
          {study?.name ?? texts().frame.product}
        </span>
        {children}
      </div>
    </header>
  )
}

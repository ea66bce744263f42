import { type ReactNode, useContext } from 'react'
import { texts } from '../../text/participant.ts'
import { StudyFaceContext } from './study-face.ts'

/** The slim header of every page: whose study this is, and at its end what the page adds, such as progress and clock. */
export function PageHead({ children }: { children?: ReactNode }) {
  const study = useContext(StudyFaceContext)
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

import type { PropsWithChildren } from 'react'
import './questions.css'

/** Why an answer cannot be sent. */
export const Problem = ({ id, children }: PropsWithChildren<{ id?: string }>) => (
  <p id={id} className="problem">
    <span className="problem-mark" aria-hidden="true">
      !
    </span>
    <span>{children}</span>
  </p>
)

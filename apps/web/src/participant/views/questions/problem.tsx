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

/** An alert, because somebody pressed a button and waits for the result. */
export const Refusal = ({ message }: { message: string | undefined }) => (
  <div role="alert">{message !== undefined && <Problem>{message}</Problem>}</div>
)

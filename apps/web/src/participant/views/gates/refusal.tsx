import { Problem } from '../questions/problem.tsx'

/** An alert, because somebody pressed a button and waits for the result. */
export const Refusal = ({ message }: { message: string | undefined }) => (
  <div role="alert">{message !== undefined && <Problem>{message}</Problem>}</div>
)

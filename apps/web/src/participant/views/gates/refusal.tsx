import { Problem } from '../questions/question.tsx'

/** Announced immediately: somebody pressed a button and is waiting for the result. */
export const Refusal = ({ message }: { message: string | undefined }) => (
  <div role="alert">{message !== undefined && <Problem>{message}</Problem>}</div>
)

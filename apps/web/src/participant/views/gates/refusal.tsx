import { Problem } from '../questions/question.tsx'

/** Said aloud at once: somebody pressed a button and waits for what it did. */
export const Refusal = ({ message }: { message: string | undefined }) => (
  <div role="alert">{message !== undefined && <Problem>{message}</Problem>}</div>
)

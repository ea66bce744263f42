import type { Refusal } from '../answer.ts'

/** A backend that is slow, or one that cannot be reached. */
export const refusalFor = ({ code }: Error & { code?: string }): Refusal => ({
  code: code === 'ANSWER_TIMEOUT' ? 'GATEWAY_TIMEOUT' : 'BAD_GATEWAY',
})

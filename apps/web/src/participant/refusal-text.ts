import { NoAnswer } from '@atrium/client'
import { texts } from '../text/participant.ts'

/** Why something was refused, in the page’s language: the server’s own sentence, or what the catalogue has for the code. */
export function refusalText(code: string, message: string): string {
  const { refusals, problems } = texts()
  if (refusals === null) return message === '' ? problems.notSent : message
  return (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? problems.notSent
}

/** What is thrown without a code speaks of requests and functions, which mean nothing to participants. */
export function refusalTextOf(error: unknown): string {
  if (error instanceof NoAnswer) return texts().stopped.unreachable.message
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? refusalText(error.code, error.message)
    : texts().problems.notSent
}

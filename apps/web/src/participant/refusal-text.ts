import { texts } from '../text/participant.ts'

/** Why something was refused, in the page’s language: the server’s own sentence, or what the catalogue has for the code. */
export function refusalText(code: string, message: string): string {
  const { refusals, problems } = texts()
  if (refusals === null) return message === '' ? problems.notSent : message
  return (Object.hasOwn(refusals, code) ? refusals[code] : undefined) ?? problems.notSent
}

export const refusalTextOf = (error: unknown): string =>
  error instanceof Error ? refusalText(codeOf(error), error.message) : texts().problems.notSent

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

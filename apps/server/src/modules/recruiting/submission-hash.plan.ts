import { hash } from 'node:crypto'

/**
 * R48: a submission leads to a person at Prolific, and what was paid stays on record when they are deleted. Whoever has the
 * id finds the record; from the hash nobody finds the id.
 */
export const submissionHashOf = (submissionId: string): string =>
  hash('sha256', `atrium submission ${submissionId}`, 'base64url')

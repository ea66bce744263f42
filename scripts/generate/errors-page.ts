import { errorCatalogue, errorCodes } from '../../packages/contract/src/index.ts'
import { errorGuide } from '../../packages/contract/src/reference/index.ts'
import { json, markdownFile, table } from './markdown.ts'

export function errorsPage(): string {
  const { sentence: message } = errorCatalogue.SESSION_EXPIRED
  const details = { sessionId: 'sess_…', expiredAt: '2026-03-03T09:30:00.000Z' }
  return markdownFile([
    '# Errors',
    'Every error has one of these codes. Programs should use the code; the message may be more specific than the one here. `details` is always an object.',
    'Errors of the participant API (`/api/v3/participant`, `/api/v4/participant`):',
    json({ status: 'error', error: { code: 'SESSION_EXPIRED', message, details } }),
    'Errors of all other addresses:',
    json({ error: errorCatalogue.FORBIDDEN.sentence, code: 'FORBIDDEN', details: {} }),
    table(
      ['Code', 'Status', 'Meaning', 'What the client should do', 'Details'],
      errorCodes.map((code) => [
        `\`${code}\``,
        String(errorCatalogue[code].status),
        errorCatalogue[code].sentence,
        errorGuide[code].action,
        errorGuide[code].details ?? '',
      ]),
    ),
  ])
}

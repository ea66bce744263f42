import { errorCatalogue, errorCodes, errorGuide } from '../../packages/contract/src/index.ts'
import { json, markdownFile, table } from './markdown.ts'

export function errorsPage(): string {
  const { sentence: message } = errorCatalogue.SESSION_EXPIRED
  const details = { sessionId: 'sess_…', expiredAt: '2026-03-03T09:30:00.000Z' }
  return markdownFile([
    '# Errors',
    'Every refusal has one of these codes. The message may be more exact than the sentence here; the code is what a program should read. `details` is always an object.',
    'The participant API (`/api/v3/participant`, `/api/v4/participant`) refuses with:',
    json({ status: 'error', error: { code: 'SESSION_EXPIRED', message, details } }),
    'Every other address refuses with:',
    json({ error: errorCatalogue.FORBIDDEN.sentence, code: 'FORBIDDEN', details: {} }),
    table(
      ['Code', 'Status', 'Meaning', 'What the client does', 'Details'],
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

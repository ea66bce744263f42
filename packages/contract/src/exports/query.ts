import { Type } from 'typebox'
import { Synthetic } from '../api/query.ts'
import { Name } from '../text.ts'
import { type ExportTable, exportTables } from './tables.ts'

export const exportFormats = {
  jsonl: { contentType: 'application/x-ndjson', ending: 'jsonl' },
  csv: { contentType: 'text/csv', ending: 'csv' },
  parquet: { contentType: 'application/vnd.apache.parquet', ending: 'parquet' },
  'psych-ds': { contentType: 'application/zip', ending: 'zip' },
} as const
export type ExportFormat = keyof typeof exportFormats
/** Formats of a single table. */
export type TableFormat = Exclude<ExportFormat, 'psych-ds'>

/** `open`: has not completed yet, or never will. */
const participantStatuses = ['completed', 'open'] as const
export type ExportedStatus = (typeof participantStatuses)[number]

const moment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A date (midnight, UTC) or a time with its zone. */
const Moment = (description: string) =>
  Type.Refine(
    Type.String({
      description: `${description}: \`2026-03-01\` (midnight, UTC) or \`2026-03-01T09:30:00Z\``,
    }),
    (text) => moment.test(text) && Number.isFinite(Date.parse(text)),
    () => 'must be a date, or a time with its zone',
  )

/** Converts a value that `Moment` has accepted. */
export const momentOf = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text)

const Revision = Type.Refine(
  Type.String({
    description: 'Only participants who joined this revision, and agents in rooms that play it',
  }),
  (text) => /^[1-9]\d{0,8}$/.test(text),
  () => 'must be the number of a revision',
)

export const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(Object.keys(exportFormats) as ExportFormat[], {
      description:
        '`jsonl`, also when absent: one JSON object per line; `csv`; `parquet`; `psych-ds`: a ZIP file with all tables as CSV, the files of answers, a codebook and a manifest, in the form of Psych-DS, without `table`',
    }),
  ),
  table: Type.Optional(
    Type.Enum(Object.keys(exportTables) as ExportTable[], {
      description: 'What the rows are; `events` when absent',
    }),
  ),
  from: Type.Optional(
    Moment('Only participants who joined then or later; for `agent_turns`, calls made then or later'),
  ),
  to: Type.Optional(Moment('Only participants who joined before; for `agent_turns`, calls made before')),
  revision: Type.Optional(Revision),
  status: Type.Optional(
    Type.Enum(participantStatuses, {
      description:
        '`completed`: only participants who have completed, with any outcome; `open`: only the others. Agents, who never complete, are left out; not for `agent_turns`',
    }),
  ),
  synthetic: Type.Optional(Synthetic),
  cursor: Type.Optional(
    Name(
      2_000,
      'One page of the table instead of all of it: `start`, and then the header `X-Next-Cursor` of the page before, which the last page does not have. The pages put together are the file. Only `jsonl` and `csv`; not for `agent_turns` and `codebook`',
    ),
  ),
  resume: Type.Optional(
    Type.Refine(
      Type.String({
        description:
          'The rest of a file whose download broke off, in any format: `<id>-<bytes>-<sha256>`, which are the header `X-Export-Id` of the response that broke off, the number of bytes that you have, and their SHA-256 in hexadecimal. Ask for the same file otherwise; refused with `EXPORT_CHANGED` unless it still begins with these bytes. `X-Export-Offset` says that the response is the rest from there',
      }),
      (text) => /^[1-9a-z][0-9a-z]{0,9}-(0|[1-9]\d{0,14})-[0-9a-f]{64}$/.test(text),
      () => 'must be `<id>-<bytes>-<sha256>`',
    ),
  ),
  answerKeys: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: the definitions in `psych-ds` say which answers count as correct; without it, what components keep secret from participants is removed',
    }),
  ),
  bom: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: CSV files begin with a byte order mark, so that spreadsheets read other letters than A to Z. Only `csv` and `psych-ds`',
    }),
  ),
  identity: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: the file that says who the participants are, without `table`; only for the owner and administrators, and for no API key. All other files name people by pseudonyms only',
    }),
  ),
})
export type ExportQuery = Type.Static<typeof ExportQuery>

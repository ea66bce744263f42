import {
  type ExportedStatus,
  type ExportFormat,
  type ExportQuery,
  type ExportTable,
  exportFormats,
  type TableFormat,
} from '@atrium/contract'

/** What the form holds; an empty text is no filter. */
export interface ExportChoice {
  /** `all` is an archive of all tables. */
  table: ExportTable | 'all'
  format: TableFormat
  from: string
  to: string
  revision: string
  status: ExportedStatus | ''
  /** CSV that begins with a byte order mark. */
  forExcel: boolean
  answerKeys: boolean
}

export type FilterName = 'from' | 'to' | 'revision' | 'status'

export const firstChoice: ExportChoice = {
  table: 'participants',
  format: 'csv',
  from: '',
  to: '',
  revision: '',
  status: '',
  forExcel: false,
  answerKeys: false,
}

/** The server refuses filters that have no meaning for a table. */
export const hasFilter = (table: ExportChoice['table'], filter: FilterName): boolean =>
  (table !== 'codebook' || filter === 'revision') && (table !== 'agent_turns' || filter !== 'status')

export const hasCsv = ({ table, format }: ExportChoice): boolean => table === 'all' || format === 'csv'

/** Calls of models are on a page of their own, and an archive is no table. */
export const hasPreview = ({ table }: ExportChoice): boolean => table !== 'agent_turns' && table !== 'all'

const formatOf = ({ table, format }: ExportChoice): ExportFormat => (table === 'all' ? 'psych-ds' : format)

export const endingOf = (choice: ExportChoice): string => exportFormats[formatOf(choice)].ending

export function exportQueryOf(choice: ExportChoice): ExportQuery {
  const { table, from, to, revision, status, forExcel, answerKeys } = choice
  const filters = { from, to, revision, ...(status !== '' && { status }) }
  const asked = Object.entries(filters).filter(
    ([name, value]) => value !== '' && hasFilter(table, name as FilterName),
  )
  return {
    format: formatOf(choice),
    ...(table !== 'all' && { table }),
    ...Object.fromEntries(asked),
    ...(forExcel && hasCsv(choice) && { bom: 'true' as const }),
    ...(answerKeys && table === 'all' && { answerKeys: 'true' as const }),
  }
}

export interface ExportFile {
  name: string
  /** Such as `csv`. */
  ending: string
}

/** “Public goods” on 3 August 2026 → `public-goods-2026-08-03.csv`. */
export function exportFileName({ name, ending }: ExportFile, at: Date): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 60)
  return `${words || 'experiment'}-${at.toISOString().slice(0, 10)}.${ending}`
}

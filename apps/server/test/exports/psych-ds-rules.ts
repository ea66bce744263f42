import { parse } from 'csv-parse/sync'

/** A dataset by path from its root. */
export type Dataset = ReadonlyMap<string, Buffer>

export interface RuleBreak {
  /** As the validator of Psych-DS names it. */
  code: string
  level: 'error' | 'warning'
  at: string
}

const officialKeywords = 'study|site|subject|session|task|condition|trial|stimulus|description'.split('|')
const recommendedFields = [
  'author',
  'citation',
  'license',
  'funder',
  'url',
  'identifier',
  'usageInfo',
  'keywords',
]
const recommendedFolders = ['analysis', 'materials', 'documentation']
const dataFileName = /^([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv$/

/** What Psych-DS 1.5 asks of a dataset, in our words: its own validator needs Deno and the network. */
export function breaksOfPsychDs(dataset: Dataset): RuleBreak[] {
  const error = (code: string, at: string): RuleBreak => ({ code, level: 'error', at })
  const warning = (code: string, at: string): RuleBreak => ({ code, level: 'warning', at })
  const described = dataset.get('dataset_description.json')
  if (!described) return [error('MISSING_DATASET_DESCRIPTION', 'dataset_description.json')]
  const description: Record<string, unknown> = JSON.parse(described.toString())
  const measured = namesIn(description.variableMeasured)
  const paths = [...dataset.keys()]
  const tables = paths.filter((path) => path.startsWith('data/') && path.endsWith('.csv'))
  const columns = new Set<string>()
  const ofTables = tables.flatMap((path) => {
    const name = path.split('/').at(-1) ?? ''
    if (!dataFileName.test(name)) return [error('FILENAME_KEYWORD_FORMATTING_ERROR', path)]
    const keywords = name
      .split('_')
      .slice(0, -1)
      .map((pair) => pair.split('-')[0] ?? '')
    // Refuses rows of different lengths.
    const [header = [], ...rows]: string[][] = parse(dataset.get(path) ?? '', { bom: true })
    for (const column of header) columns.add(column)
    const rowIds = rows.map((row) => row[header.indexOf('row_id')])
    return [
      ...keywords
        .filter((keyword) => !officialKeywords.includes(keyword))
        .map((keyword) => warning('FILENAME_UNOFFICIAL_KEYWORD_WARNING', `${path} ${keyword}`)),
      ...(header.length === 0 || header.includes('') ? [error('CSV_HEADER_MISSING', path)] : []),
      ...(new Set(header).size < header.length ? [error('CSV_HEADER_REPEATED', path)] : []),
      ...(header.includes('row_id') && new Set(rowIds).size < rowIds.length
        ? [error('ROWID_VALUES_NOT_UNIQUE', path)]
        : []),
      ...header
        .filter((column) => !measured.includes(column))
        .map((column) => error('CSV_COLUMN_MISSING_FROM_METADATA', `${path} ${column}`)),
    ]
  })
  return [
    ...(tables.length === 0 ? [error('MISSING_DATAFILE', 'data')] : []),
    ...(description['@type'] === 'Dataset' ? [] : [error('INCORRECT_DATASET_TYPE', '@type')]),
    ...(/^https?:\/\/schema\.org\/?$/.test(String(description['@context']))
      ? []
      : [error('JSON_KEY_REQUIRED', '@context')]),
    ...['name', 'description', 'variableMeasured']
      .filter((key) => !description[key])
      .map((key) => error('JSON_KEY_REQUIRED', key)),
    ...ofTables,
    ...measured
      .filter((name) => !columns.has(name))
      .map((name) => error('VARIABLE_MISSING_FROM_CSV_COLUMNS', name)),
    ...objectsWithoutType(description).map((at) => warning('OBJECT_TYPE_MISSING', at)),
    ...recommendedFields
      .filter((key) => description[key] === undefined)
      .map((key) => warning('JSON_KEY_RECOMMENDED', key)),
    ...recommendedFolders
      .filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)))
      .map((folder) => warning('MISSING_DIRECTORY', folder)),
    ...(paths.some((path) => /^README\.(md|txt)$/.test(path))
      ? []
      : [warning('MISSING_README_DOC', 'README')]),
    ...paths
      .filter((path) => path !== 'dataset_description.json' && path.endsWith('/dataset_description.json'))
      .map((path) => warning('WRONG_METADATA_LOCATION', path)),
    ...paths.filter((path) => dataset.get(path)?.length === 0).map((path) => warning('FILE_EMPTY', path)),
  ]
}

const namesIn = (variables: unknown): string[] =>
  Array.isArray(variables) ? variables.map((one) => (typeof one === 'string' ? one : String(one.name))) : []

/** Every object in JSON-LD of schema.org says of which type it is. */
function objectsWithoutType(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => objectsWithoutType(one, `${at}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, one]) => objectsWithoutType(one, `${at}/${key}`))
  return '@type' in value ? inside : [at, ...inside]
}

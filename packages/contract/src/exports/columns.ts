import type { TObject } from 'typebox'

/**
 * What a cell holds, in every format. `whole` and `number` are numbers; `time` is a time of the server; `json` is any
 * value as JSON.
 */
export type ColumnType = 'text' | 'whole' | 'number' | 'flag' | 'time' | 'json'

export interface ExportColumn {
  /** In JSON lines; CSV and Parquet have `snakeName` of it. */
  name: string
  type: ColumnType
  description: string
  /** JSON lines leave it out where it says nothing. */
  isOptional?: true
  /** Of a number. */
  unit?: string
  /** All values that cells can have; absent if there are too many to list. */
  allowed?: readonly unknown[]
}

interface SchemaFacts {
  type?: string
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly SchemaFacts[]
  description?: string
  'x-unit'?: string
}

/** The columns of a table, from the schema of its rows, which the reference shows as well. */
export const columnsOf = (row: TObject): ExportColumn[] =>
  Object.entries(row.properties).map(([name, schema]) => {
    const facts = schema as SchemaFacts
    const forms = [facts, ...(facts.anyOf ?? [])]
    const unit = forms.find((form) => form['x-unit'])?.['x-unit']
    const allowed = allowedBy(facts)
    return {
      name,
      type: columnTypeOf(facts),
      description: forms.find(({ description }) => description)?.description ?? '',
      ...(row.required.includes(name) ? {} : { isOptional: true }),
      ...(unit === undefined ? {} : { unit }),
      ...(allowed && { allowed }),
    }
  })

/** The values that a schema lists, if it lists them all. */
export function allowedBy(schema: object): readonly unknown[] | undefined {
  const { type, enum: values, const: only, anyOf } = schema as SchemaFacts
  if (values) return values
  if (only !== undefined) return [only]
  if (type === 'boolean') return [false, true]
  const forms = anyOf?.filter((form) => form.type !== 'null').map(allowedBy)
  return forms && forms.length > 0 && forms.every((form) => form !== undefined) ? forms.flat() : undefined
}

/** The type of a column whose cells match a schema; null is allowed in every column. */
export function columnTypeOf(schema: object): ColumnType {
  const { type, format, anyOf, enum: values, const: only } = schema as SchemaFacts
  if (anyOf) {
    const types = new Set(anyOf.filter((one) => one.type !== 'null').map(columnTypeOf))
    const [single] = types
    return types.size === 1 && single ? single : 'json'
  }
  const known = values ?? (only === undefined ? [] : [only])
  if (known.length > 0) return known.every((value) => typeof value === 'string') ? 'text' : typeOfAll(known)
  if (type === 'string') return format === 'date-time' ? 'time' : 'text'
  if (type === 'integer') return 'whole'
  if (type === 'number') return 'number'
  return type === 'boolean' ? 'flag' : 'json'
}

function typeOfAll(values: readonly unknown[]): ColumnType {
  if (values.every((value) => typeof value === 'boolean')) return 'flag'
  return values.every((value) => typeof value === 'number') ? 'number' : 'json'
}

/** `roomId` → `room_id`. Names that contain an underscore were made of the study's own and stay as they are. */
export const snakeName = (name: string): string =>
  name.includes('_') ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

import { type ColumnType, columnTypeOf } from '@atrium/contract'

/** A part of an answer that is no object itself, with the names that lead to it. */
export interface AnswerPart {
  path: readonly string[]
  type: ColumnType
  schema: object
}

interface Facts {
  type?: string
  properties?: Readonly<Record<string, object>>
}

/** Answers have columns for what they consist of, by the schema of the component. */
export function partsOfAnswers(schema: object, path: readonly string[] = []): AnswerPart[] {
  const { type, properties }: Facts = schema
  const named = Object.entries(properties ?? {})
  return type === 'object' && named.length > 0
    ? named.flatMap(([name, part]) => partsOfAnswers(part, [...path, name]))
    : [{ path, type: plainTypeOf(columnTypeOf(schema)), schema }]
}

/** As in `participants`: a page may send 1.0 where a whole number is asked for. */
function plainTypeOf(type: ColumnType): ColumnType {
  if (type === 'whole') return 'number'
  return type === 'number' || type === 'flag' ? type : 'text'
}

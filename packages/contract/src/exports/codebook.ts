import { type TSchema, Type } from 'typebox'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const text = (description: string) => Nullable(Type.String({ description }))
const number = (description: string) => Nullable(Type.Number({ description }))

/**
 * R47: a row for each column of each table. A column of the study has a row for each meaning that it has had: if a question
 * reads the same in several revisions, they share a row.
 */
export const ExportedVariable = Type.Object({
  table: Type.String({ description: 'The table with this column' }),
  variable: Type.String({ description: 'Name of the column in CSV and Parquet' }),
  field: Type.String({ description: 'Name of the column in JSON lines' }),
  type: Type.Enum(['text', 'whole', 'number', 'flag', 'time', 'json'], {
    description:
      '`whole`: a whole number; `flag`: true or false; `time`: ISO 8601, UTC; `json`: any value, as JSON',
  }),
  label: text(
    'The text that participants saw, as the experiment has it: the question, or the name of the state',
  ),
  description: Type.String({ description: 'What the column holds' }),
  unit: text('The unit of a number'),
  values: Type.Unknown({
    description:
      'What can be chosen, or the points of a scale that have labels, as a list of `{value, label?}`; null for anything else',
  }),
  minimum: number('Lowest value'),
  maximum: number('Highest value'),
  stateId: text('The state that was asked in'),
  componentId: text('The component that asked'),
  componentType: text('Its type'),
  round: Nullable(Type.Integer({ minimum: 1, description: 'The round that was asked in' })),
  schema: Type.Unknown({
    description: 'JSON Schema of the answers, which the platform checks; null if nothing is asked',
  }),
  revisions: Type.Unknown({ description: 'The revisions that this is about, as a list; null for every one' }),
})

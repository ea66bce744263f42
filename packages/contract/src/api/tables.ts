import { Type } from 'typebox'
import { TrialRow, tableIdPattern } from '../definition/trials.ts'
import { limits } from '../limits.ts'
import { Count, IsoTime, Name } from '../text.ts'
import { defineRoute } from './route.ts'

/** R66 */
export const NewTable = Type.Object(
  {
    name: Name(200, 'What the table is called in your list, such as the name of its file', {
      examples: ['words.csv'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: limits.tables.textCharacters,
      description:
        'CSV with commas or semicolons, or what was copied from a spreadsheet: the first line names the columns, each further line is a row. Numbers, `true` and `false` are read as such, blank cells are null',
      examples: ['word,ink\nred,blue\nblue,blue\n'],
    }),
  },
  { additionalProperties: false },
)
export type NewTable = Type.Static<typeof NewTable>

export const TableHead = Type.Object({
  tableId: Type.String({ description: 'Names it in `tables` of a definition' }),
  name: Type.String(),
  columns: Type.Array(Type.String(), { description: 'In the order of the file' }),
  rows: Count('Number of rows'),
  bytes: Count('Size of the rows, as JSON'),
  sha256: Type.String({ description: 'Of the rows, as JSON: the same for the same content' }),
  createdAt: IsoTime('When it was uploaded'),
})
export type TableHead = Type.Static<typeof TableHead>

const StoredTable = Type.Object({
  ...TableHead.properties,
  content: Type.Array(TrialRow, { description: 'The rows' }),
})
export type StoredTable = Type.Static<typeof StoredTable>

const tables = { tag: 'Tables', envelope: 'plain', auth: 'researcher' } as const
const params = Type.Object({
  tableId: Type.String({ pattern: tableIdPattern, description: 'The table, by its `tableId`' }),
})

export const tableRoutes = {
  create: defineRoute({
    ...tables,
    method: 'POST',
    path: '/api/tables',
    summary: 'Upload a table of trials',
    description: `Up to ${limits.tables.rows.toLocaleString('en')} rows and ${limits.tables.columns} columns. A table never changes: upload it again, and name the new one in the definition. What cannot be read is refused with the number of its line.`,
    body: NewTable,
    success: { status: 201, schema: TableHead, description: 'Stored' },
    errors: ['TABLE_LIMIT'],
  }),
  list: defineRoute({
    ...tables,
    method: 'GET',
    path: '/api/tables',
    summary: 'List your tables',
    success: {
      status: 200,
      schema: Type.Object({ tables: Type.Array(TableHead) }),
      description: 'Newest first, without their rows',
    },
  }),
  read: defineRoute({
    ...tables,
    method: 'GET',
    path: '/api/tables/:tableId',
    params,
    summary: 'Read a table with its rows',
    description: 'Your own, and those that an experiment uses which you may see.',
    success: { status: 200, schema: StoredTable, description: 'The table' },
    errors: ['TABLE_NOT_FOUND'],
  }),
  remove: defineRoute({
    ...tables,
    method: 'DELETE',
    path: '/api/tables/:tableId',
    params,
    summary: 'Delete a table',
    description:
      'Your own; administrators can delete anybody’s. Revisions that use it keep its rows, until their experiment is deleted.',
    success: {
      status: 200,
      schema: Type.Object({ success: Type.Literal(true) }),
      description: 'No longer in the list',
    },
    errors: ['TABLE_NOT_FOUND'],
  }),
} as const

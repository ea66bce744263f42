import { createHash } from 'node:crypto'
import {
  limits,
  type NewTable,
  readTable,
  type StoredTable,
  type TableHead,
  type TrialRow,
  tableIdPattern,
  tableIdsIn,
  type WrittenDefinition,
  withRows,
} from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newTableId } from '../../kernel/ids.ts'
import { sightOf } from '../experiments/index.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { TableRecord, TableStore } from './tables.store.ts'

type RowsByTableId = Map<string, TrialRow[]>

export interface Tables {
  create(body: NewTable, author: Identity): Promise<TableHead>
  list(author: Identity): Promise<TableHead[]>
  read(tableId: string, reader: Identity): Promise<StoredTable>
  remove(tableId: string, author: Identity): Promise<void>
  /** R66: the rows of the tables that a definition names, valid or not, and that its author may use. */
  rowsFor(definition: unknown, author: Identity): Promise<RowsByTableId>
  /** RM214: a stored definition with the rows of its tables in their place. */
  filled<Definition extends WrittenDefinition>(definition: Definition): Promise<Definition>
}

/** In characters of JSON. In memory rows take several times as much. */
const maxCachedCharacters = 16 * 1_048_576

/** R66: tables of trials, which researchers upload and revisions pin. */
export function createTables({ store, clock }: { store: TableStore; clock: Clock }): Tables {
  // Tables never change, so cached ones stay valid.
  const cached = new LRUCache<string, { rows: TrialRow[]; characters: number }>({
    max: 500,
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ characters }) => characters,
  })

  function keep({ tableId, content }: { tableId: string; content: string }): TrialRow[] {
    const rows: TrialRow[] = cached.get(tableId)?.rows ?? JSON.parse(content)
    cached.set(tableId, { rows, characters: content.length })
    return rows
  }

  async function rowsOf(tableIds: readonly string[]): Promise<RowsByTableId> {
    const known = new Map(
      tableIds.flatMap((id) => {
        const rows = cached.get(id)?.rows
        return rows ? [[id, rows] as const] : []
      }),
    )
    const missing = tableIds.filter((id) => !known.has(id))
    const found = missing.length === 0 ? [] : await store.contents(missing)
    for (const one of found) known.set(one.tableId, keep(one))
    return known
  }

  return {
    async create({ name, text }, author) {
      const read = readTable(text)
      if (!read.ok) throw validationFailed([{ path: '/text', message: `line ${read.line}: ${read.message}` }])
      const content = JSON.stringify(read.rows)
      const bytes = Buffer.byteLength(content)
      if (bytes > limits.tables.bytes)
        throw validationFailed([
          {
            path: '/text',
            message: `the rows take ${bytes} bytes as JSON; the limit is ${limits.tables.bytes}`,
          },
        ])
      const record: TableRecord = {
        tableId: newTableId(),
        owner: actorOf(author),
        name,
        columns: read.columns,
        rowCount: read.rows.length,
        bytes,
        sha256: createHash('sha256').update(content).digest('hex'),
        createdAt: clock.now(),
      }
      if ((await store.create({ ...record, content }, limits.tables.perResearcher)) === 'too_many')
        throw new AppError('TABLE_LIMIT')
      return headOf(record)
    },

    list: async (author) => (await store.list(actorOf(author), limits.tables.perResearcher)).map(headOf),

    async read(tableId, reader) {
      const [found] = await store.visible([tableId], sightOf(reader))
      if (!found) throw new AppError('TABLE_NOT_FOUND')
      return { ...headOf(found), content: JSON.parse(found.content) }
    },

    async remove(tableId, author) {
      const owner = author.isAdmin ? null : actorOf(author)
      const removal = { tableId, owner, actor: actorOf(author), now: clock.now() }
      if (!(await store.remove(removal))) throw new AppError('TABLE_NOT_FOUND')
    },

    async rowsFor(definition, author) {
      const named = namedIn(definition)
      if (named.length === 0) return new Map()
      const visible = await store.visible(named, sightOf(author))
      return new Map(visible.map((one) => [one.tableId, keep(one)]))
    },

    async filled(definition) {
      const named = tableIdsIn(definition)
      return named.length === 0 ? definition : withRows(definition, await rowsOf(named))
    },
  }
}

const isTableId = new RegExp(tableIdPattern)

/** What a definition names that was not checked yet: nothing of it is certain. */
function namedIn(definition: unknown): string[] {
  const tables: unknown = Reflect.get(Object(definition), 'tables')
  const sources: unknown[] = typeof tables === 'object' && tables !== null ? Object.values(tables) : []
  const named = sources.map((source): unknown => Reflect.get(Object(source), 'tableId'))
  const ids = named.filter((id): id is string => typeof id === 'string' && isTableId.test(id))
  return [...new Set(ids)].slice(0, limits.tables.perDefinition)
}

const headOf = ({ tableId, name, columns, rowCount, bytes, sha256, createdAt }: TableRecord): TableHead => ({
  tableId,
  name,
  columns: [...columns],
  rows: rowCount,
  bytes,
  sha256,
  createdAt: new Date(createdAt).toISOString(),
})

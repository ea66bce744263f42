import {
  type AgentTurnRecord,
  declaredColumns,
  type ExportColumn,
  type ExportTable,
  exportedTables,
  identityColumns,
} from '@atrium/contract'
import type { AgentTurns, CallPosition } from '../agents/index.ts'
import type { ExportPosition } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import { createCodebook } from './codebook/codebook.ts'
import { type Cursor, refusedCursor } from './cursor.ts'
import type { ExportSelection, ExportStore, PersonPlace } from './exports.store.ts'
import { positionAt, readEventRows, readWholePeople } from './paged-rows.ts'
import { pagesPerPlan, readAhead } from './read-ahead.ts'
import { assignmentRows } from './tables/assignment-rows.ts'
import { deviceRows } from './tables/device-rows.ts'
import { edgeRows } from './tables/edge-rows.ts'
import { eventRows, messageRows, playbackRows } from './tables/event-rows.ts'
import { identityRow } from './tables/identity-rows.ts'
import { paymentRows, withAmounts } from './tables/payment-rows.ts'
import { responseRows } from './tables/response-rows.ts'
import { jsonOf, type Row, type TableRows } from './tables/row.ts'
import { stateRows } from './tables/state-rows.ts'
import { assertFitsPage, inSlices } from './trials/slices.ts'
import { trialRows } from './trials/trial-rows.ts'
import { participantRows } from './wide/participant-rows.ts'

/** Their metadata may be long. */
const peoplePerPage = 200

export interface RowSourceDeps {
  store: ExportStore
  agentTurns: Pick<AgentTurns, 'exportPage'>
  experiments: Pick<Experiments, 'definition' | 'filled'>
}

/** Tables that are made of events, in whose order a cursor has a place. */
export type PagedTable = Exclude<ExportTable, 'agent_turns' | 'codebook'>

/** Whose columns or cells follow from the definitions, which are read first. */
const hasStudyColumns = (table: ExportTable): boolean =>
  table === 'participants' || table === 'payments' || table === 'trials'

/** The rows of a table, page by page; each call of `read` continues where the last one ended. */
export interface RowSource {
  columns: readonly ExportColumn[]
  read(): Promise<{ rows: Row[]; isLast: boolean }>
}

export type RowSources = ReturnType<typeof createRowSources>

/** R47: where the rows of every table come from. */
export function createRowSources(deps: RowSourceDeps) {
  const { store, agentTurns } = deps
  return {
    codebookOf: (selection: ExportSelection, asked?: { newest?: number; table?: ExportTable }) =>
      codebookOf(deps, selection, asked),
    identitySource: (selection: ExportSelection): RowSource => identitySource(store, selection),
    /** A page of a table that can be read by cursor. */
    async page(selection: ExportSelection, table: PagedTable, cursor: Cursor | null) {
      const from = cursor && (await positionAt(store, cursor.at))
      const isOfStudy = hasStudyColumns(table)
      const known = isOfStudy
        ? await codebookOf(deps, selection, { newest: cursor?.revisions.newest, table })
        : undefined
      const { revisions = [] } = known ?? {}
      const made = { count: revisions.length, newest: revisions.at(-1) ?? 0 }
      if (known && cursor && made.count !== cursor.revisions.count)
        throw refusedCursor('the columns of this table have changed since the first page; begin again')
      const { columns, table: rows } = tableOf(deps, selection, table, known)
      const read =
        table === 'states' || table === 'edges' || table === 'assignments' || isOfStudy
          ? readWholePeople
          : readEventRows
      const page = await read(store, selection, rows, from)
      if (table === 'trials') assertFitsPage(page.rows)
      return { columns, rows: page.rows, next: page.next && { table, at: page.next, revisions: made } }
    },
    async open(
      selection: ExportSelection,
      table: ExportTable,
      known?: Awaited<ReturnType<typeof codebookOf>>,
    ): Promise<RowSource> {
      switch (table) {
        case 'agent_turns':
          return turnSource(agentTurns, selection)
        case 'codebook': {
          const { codebook } = known ?? (await codebookOf(deps, selection))
          return pagesOf(
            declaredColumns(table),
            async () => [{ next: null }],
            async () => codebook.rows(exportedTables),
            (rows) => rows,
          )
        }
        case 'participants':
        case 'payments':
        case 'trials': {
          const made = tableOf(
            deps,
            selection,
            table,
            known ?? (await codebookOf(deps, selection, { table })),
          )
          const source = tableSource(store, selection, made.columns, made.table)
          return table === 'trials' ? { ...source, read: inSlices(source.read) } : source
        }
        default: {
          const made = tableOf(deps, selection, table, known)
          return tableSource(store, selection, made.columns, made.table)
        }
      }
    },
  }
}

/** What the columns are in the revisions that are exported. */
async function codebookOf(
  { store, experiments }: RowSourceDeps,
  { experimentId, filters: { revision } }: ExportSelection,
  { newest = Infinity, table }: { newest?: number | undefined; table?: ExportTable } = {},
) {
  const withTrials = table === undefined || table === 'trials'
  const codebook = createCodebook({
    withAnswers: table === undefined || table === 'participants',
    withTrials,
  })
  const present = await store.revisions(experimentId)
  const exported = present.filter((one) => one <= newest && (revision === null || revision === one))
  for (const one of exported) {
    const definition = await experiments.definition(experimentId, one)
    codebook.add(one, withTrials ? await experiments.filled(definition) : definition)
  }
  return { codebook, revisions: exported }
}

const tableSource = (
  store: RowSourceDeps['store'],
  selection: ExportSelection,
  columns: readonly ExportColumn[],
  table: TableRows,
): RowSource =>
  pagesOf(
    columns,
    (after: ExportPosition | null) => store.plan(selection, table.types, after, pagesPerPlan),
    (plan) => store.parts(plan),
    (parts, isLast) => table.rowsOf(parts, isLast),
  )

function turnSource(
  agentTurns: RowSourceDeps['agentTurns'],
  { experimentId, source, filters }: ExportSelection,
): RowSource {
  const { joinedFrom: askedFrom, joinedBefore: askedBefore, revision } = filters
  const calls = { experimentId, roomId: null, source, askedFrom, askedBefore, revision }
  return pagesOf(
    declaredColumns('agent_turns'),
    async (after: CallPosition | null) => [await agentTurns.exportPage(calls, after)],
    async ({ lines }) => lines,
    (lines) => lines.split('\n').filter(Boolean).map(turnRow),
  )
}

/** Columns and rows of a table that is made of events. */
function tableOf(
  { store, experiments }: RowSourceDeps,
  { experimentId }: ExportSelection,
  table: PagedTable,
  known: Awaited<ReturnType<typeof codebookOf>> | undefined,
): { columns: readonly ExportColumn[]; table: TableRows } {
  const columns = declaredColumns(table)
  const filledDefinition = async (revision: number) =>
    await experiments.filled(await experiments.definition(experimentId, revision))
  const definitionOf = (revision: number) => experiments.definition(experimentId, revision)
  switch (table) {
    case 'events':
      return { columns, table: eventRows() }
    case 'responses':
      return { columns, table: responseRows(store, definitionOf) }
    case 'messages':
      return { columns, table: messageRows() }
    case 'states':
      return { columns, table: stateRows() }
    case 'playback':
      return { columns, table: playbackRows() }
    case 'devices':
      return { columns, table: deviceRows() }
    case 'edges':
      return { columns, table: edgeRows(store) }
    case 'assignments':
      return { columns, table: assignmentRows(store, experimentId, filledDefinition) }
    case 'trials': {
      const trials = (known?.codebook ?? createCodebook()).trials()
      return { columns: trials.columns, table: trialRows(trials, filledDefinition) }
    }
    case 'participants':
    case 'payments': {
      const { wide, payments } = known?.codebook ?? createCodebook()
      const people = participantRows(store, wide())
      return table === 'participants'
        ? { columns: wide().columns, table: withAmounts(people, wide(), payments) }
        : { columns, table: paymentRows(people, wide(), payments) }
    }
  }
}

const identitySource = (store: RowSourceDeps['store'], selection: ExportSelection): RowSource =>
  pagesOf(
    identityColumns(),
    async (after: PersonPlace | null) => {
      const people = await store.people(selection, after, peoplePerPage)
      const isLast = people.length < peoplePerPage
      return [{ people, next: isLast ? null : (people.at(-1) ?? null) }]
    },
    async ({ people }) => people,
    (people) => people.map(identityRow),
  )

/** Pages are read ahead, but become rows one after the other: a table may carry something over from page to page. */
function pagesOf<Position, Plan extends { next: Position | null }, Content>(
  columns: readonly ExportColumn[],
  plan: (after: Position | null) => Promise<readonly Plan[]>,
  read: (plan: Plan) => Promise<Content>,
  rowsOf: (content: Content, isLast: boolean) => Row[] | Promise<Row[]>,
): RowSource {
  const nextPage = readAhead(plan, read)
  return {
    columns,
    async read() {
      const { content, isLast } = await nextPage()
      return { rows: await rowsOf(content, isLast), isLast }
    },
  }
}

function turnRow(line: string): Row {
  const { usage, sampling, request, reply, ...turn }: AgentTurnRecord = JSON.parse(line)
  return {
    ...turn,
    sampling: jsonOf(sampling),
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    request: jsonOf(request),
    reply: jsonOf(reply),
  }
}

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
import type { ExportSelection, ExportStore, PersonPlace } from './exports.store.ts'
import { eventRows, messageRows, playbackRows, responseRows } from './tables/event-rows.ts'
import { identityRow } from './tables/identity-rows.ts'
import { paymentRows } from './tables/payment-rows.ts'
import { jsonOf, type Row, type TableRows } from './tables/row.ts'
import { stateRows } from './tables/state-rows.ts'
import { participantRows } from './wide/participant-rows.ts'

/** Their metadata may be long. */
const peoplePerPage = 200

export interface RowSourceDeps {
  store: ExportStore
  agentTurns: Pick<AgentTurns, 'exportPage'>
  experiments: Pick<Experiments, 'definition'>
}

/** The rows of a table, page by page; each call of `read` continues where the last one ended. */
export interface RowSource {
  columns: readonly ExportColumn[]
  read(): Promise<{ rows: Row[]; isLast: boolean }>
}

export type RowSources = ReturnType<typeof createRowSources>

/** R47: where the rows of every table come from. */
export function createRowSources({ store, agentTurns, experiments }: RowSourceDeps) {
  /** What the columns are in the revisions that are exported. */
  async function codebookOf({ experimentId, filters: { revision } }: ExportSelection) {
    const codebook = createCodebook()
    const present = await store.revisions(experimentId)
    const exported = present.filter((one) => revision === null || revision === one)
    for (const one of exported) codebook.add(one, await experiments.definition(experimentId, one))
    return { codebook, revisions: exported }
  }

  const tableSource = (
    selection: ExportSelection,
    columns: readonly ExportColumn[],
    table: TableRows,
  ): RowSource =>
    pagesOf(columns, async (after: ExportPosition | null) => {
      const { parts, next } = await store.parts(selection, table.types, after)
      return { rows: await table.rowsOf(parts, next === null), next }
    })

  function turnSource({ experimentId, source, filters }: ExportSelection): RowSource {
    const { joinedFrom: askedFrom, joinedBefore: askedBefore, revision } = filters
    const calls = { experimentId, roomId: null, source, askedFrom, askedBefore, revision }
    return pagesOf(declaredColumns('agent_turns'), async (after: CallPosition | null) => {
      const { lines, next } = await agentTurns.exportPage(calls, after)
      return { rows: lines.split('\n').filter(Boolean).map(turnRow), next }
    })
  }

  const identitySource = (selection: ExportSelection): RowSource =>
    pagesOf(identityColumns(), async (after: PersonPlace | null) => {
      const people = await store.people(selection, after, peoplePerPage)
      const isLast = people.length < peoplePerPage
      return { rows: people.map(identityRow), next: isLast ? null : (people.at(-1) ?? null) }
    })

  return {
    codebookOf,
    identitySource,
    async open(
      selection: ExportSelection,
      table: ExportTable,
      known?: Awaited<ReturnType<typeof codebookOf>>,
    ): Promise<RowSource> {
      const sourceWith = (rows: TableRows) => tableSource(selection, declaredColumns(table), rows)
      switch (table) {
        case 'events':
          return sourceWith(eventRows())
        case 'responses':
          return sourceWith(responseRows())
        case 'messages':
          return sourceWith(messageRows())
        case 'states':
          return sourceWith(stateRows())
        case 'playback':
          return sourceWith(playbackRows())
        case 'agent_turns':
          return turnSource(selection)
        case 'participants': {
          const { codebook } = known ?? (await codebookOf(selection))
          const wide = codebook.wide()
          return tableSource(selection, wide.columns, participantRows(store, wide))
        }
        case 'payments': {
          const { codebook } = known ?? (await codebookOf(selection))
          const rows = paymentRows(
            participantRows(store, codebook.wide()),
            codebook.wide(),
            codebook.payments,
          )
          return sourceWith(rows)
        }
        case 'codebook': {
          const { codebook } = known ?? (await codebookOf(selection))
          return pagesOf(declaredColumns(table), () =>
            Promise.resolve({ rows: codebook.rows(exportedTables), next: null }),
          )
        }
      }
    },
  }
}

interface RowPage<Position> {
  rows: Row[]
  next: Position | null
}

function pagesOf<Position>(
  columns: readonly ExportColumn[],
  readPage: (after: Position | null) => Promise<RowPage<Position>>,
): RowSource {
  let after: Position | null = null
  return {
    columns,
    async read() {
      const { rows, next } = await readPage(after)
      after = next
      return { rows, isLast: next === null }
    },
  }
}

function turnRow(line: string): Row {
  const { usage, request, reply, ...turn }: AgentTurnRecord = JSON.parse(line)
  return {
    ...turn,
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    request: jsonOf(request),
    reply: jsonOf(reply),
  }
}

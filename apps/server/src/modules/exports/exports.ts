import {
  type AgentTurnRecord,
  declaredColumns,
  type ExportColumn,
  type ExportFormat,
  type ExportTable,
} from '@atrium/contract'
import type { AgentTurns, CallPosition } from '../agents/index.ts'
import type { Events, ExportPage, ExportPosition } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import type { ExportSelection, ExportStore } from './exports.store.ts'
import { createEncoder } from './formats/create-encoder.ts'
import { eventRows, messageRows, responseRows } from './tables/event-rows.ts'
import { jsonOf, type Row, type TableRows } from './tables/row.ts'
import { stateRows } from './tables/state-rows.ts'
import { participantRows } from './wide/participant-rows.ts'
import { createWideColumns } from './wide/wide-columns.ts'

interface ExportsDeps {
  store: ExportStore
  events: Pick<Events, 'exportPage'>
  agentTurns: Pick<AgentTurns, 'exportPage'>
  experiments: Pick<Experiments, 'definition'>
}

interface RowPage<Position> {
  rows: Row[]
  next: Position | null
}

/** Reads the next page of a file; each call continues where the last one ended. */
type ReadFile = () => Promise<ExportPage<number, string | Uint8Array>>

export type Exports = ReturnType<typeof createExports>

/** R47: files of the data of an experiment. */
export function createExports({ store, events, agentTurns, experiments }: ExportsDeps) {
  /** A file of a table whose rows are read page by page. */
  function fileOf<Position>(
    columns: readonly ExportColumn[],
    format: ExportFormat,
    read: (after: Position | null) => Promise<RowPage<Position>>,
  ): ReadFile {
    const encoder = createEncoder(format, columns)
    let [page, after]: [number, Position | null] = [0, null]
    return async () => {
      const { rows, next } = await read(after)
      const lines = encoder.encode(rows, { isFirst: page === 0, isLast: next === null })
      after = next
      page++
      return { lines, events: rows.length, next: next === null ? null : page }
    }
  }

  const tableFile = (
    selection: ExportSelection,
    columns: readonly ExportColumn[],
    format: ExportFormat,
    table: TableRows,
  ): ReadFile =>
    fileOf(columns, format, async (after: ExportPosition | null) => {
      const { parts, next } = await store.parts(selection, table.types, after)
      return { rows: await table.rowsOf(parts, next === null), next }
    })

  async function wideColumns({ experimentId, filters: { revision } }: ExportSelection) {
    const wide = createWideColumns()
    const present = await store.revisions(experimentId)
    for (const one of present)
      if (revision === null || revision === one)
        wide.add(one, await experiments.definition(experimentId, one))
    return wide.columns()
  }

  /** The stored lines, unchanged. */
  function eventLines({ experimentId, source, filters }: ExportSelection): ReadFile {
    let [page, after]: [number, ExportPosition | null] = [0, null]
    return async () => {
      const { lines, events: count, next } = await events.exportPage(experimentId, after, source, filters)
      after = next
      page++
      return { lines, events: count, next: next === null ? null : page }
    }
  }

  function turnFile({ experimentId, source, filters }: ExportSelection, format: ExportFormat): ReadFile {
    const { joinedFrom: askedFrom, joinedBefore: askedBefore, revision } = filters
    const calls = { experimentId, roomId: null, source, askedFrom, askedBefore, revision }
    return fileOf(declaredColumns('agent_turns'), format, async (after: CallPosition | null) => {
      const { lines, next } = await agentTurns.exportPage(calls, after)
      return { rows: lines.split('\n').filter(Boolean).map(turnRow), next }
    })
  }

  return {
    async open(selection: ExportSelection, table: ExportTable, format: ExportFormat): Promise<ReadFile> {
      const fileWith = (rows: TableRows) => tableFile(selection, declaredColumns(table), format, rows)
      switch (table) {
        case 'events':
          return format === 'jsonl' ? eventLines(selection) : fileWith(eventRows())
        case 'responses':
          return fileWith(responseRows())
        case 'messages':
          return fileWith(messageRows())
        case 'states':
          return fileWith(stateRows())
        case 'agent_turns':
          return turnFile(selection, format)
        case 'participants': {
          const wide = await wideColumns(selection)
          return tableFile(selection, wide.columns, format, participantRows(store, wide))
        }
      }
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

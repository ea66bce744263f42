import { setImmediate as othersTurn } from 'node:timers/promises'
import { type ExportTable, nameOf, studyOf, type TableFormat } from '@atrium/contract'
import type { ExportPosition } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import { type ArchiveOptions, openArchive, type ReadAnswerFile } from './archive/archive.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import type { ExportSelection } from './exports.store.ts'
import { createEncoder } from './formats/create-encoder.ts'
import type { CsvForm } from './formats/csv.ts'
import { eventCsvHeader, eventCsvOf } from './formats/event-csv.ts'
import { maxPages, placeOf, positionAt } from './paged-rows.ts'
import { pagesPerPlan, readAhead } from './read-ahead.ts'
import type { ReadFile } from './resumption.ts'
import { createRowSources, type PagedTable, type RowSource, type RowSourceDeps } from './row-sources.ts'

/** Encoded in one go; then whoever else needs this thread gets a turn. */
const rowsPerTurn = 500

interface ExportsDeps extends Omit<RowSourceDeps, 'experiments'> {
  experiments: Pick<Experiments, 'definition' | 'filled' | 'written' | 'find'>
  /** Of this software. */
  version: string
  readAnswerFile: ReadAnswerFile
}

export interface Exports {
  open(selection: ExportSelection, table: ExportTable, format: TableFormat, form: CsvForm): Promise<ReadFile>
  /** One page of a table, and where the next one begins; null on the last page. */
  page(
    selection: ExportSelection,
    table: PagedTable,
    format: TableFormat,
    form: CsvForm,
    cursorText: string,
  ): Promise<{ file: ReadFile; next: string | null }>
  /** Who the participants are. */
  openIdentities(selection: ExportSelection, format: TableFormat, form: CsvForm): ReadFile
  /** All tables and the files of answers in one ZIP file, in the form of Psych-DS. */
  openArchive(
    selection: ExportSelection,
    filters: Record<string, unknown>,
    options: ArchiveOptions,
    now: number,
  ): Promise<ReadFile>
}

/** R47: files of the data of an experiment. */
export function createExports({ version, readAnswerFile, ...deps }: ExportsDeps): Exports {
  const sources = createRowSources(deps)

  return {
    async open(selection, table, format, form) {
      if (table === 'events' && format === 'jsonl') return eventLines(deps.store, selection)
      if (table === 'events' && format === 'csv') return eventCsv(deps.store, selection, form)
      return fileOf(await sources.open(selection, table), format, form)
    },

    async page(selection, table, format, form, cursorText) {
      const cursor = readCursor(cursorText, table)
      if (table === 'events' && format === 'jsonl') return await eventPage(deps.store, selection, cursor)
      const { columns, rows, next } = await sources.page(selection, table, cursor)
      const lines = createEncoder(format, columns, form).encode(rows, {
        isFirst: cursor === null,
        isLast: next === null,
      })
      return { file: wholeFile(lines, rows.length), next: next && writeCursor(next) }
    },

    openIdentities: (selection, format, form) => fileOf(sources.identitySource(selection), format, form),

    async openArchive(selection, filters, options, now) {
      const { experimentId } = selection
      const { revision } = await deps.experiments.find(experimentId)
      const writtenOf = async (wanted: number) =>
        studyOf(await deps.experiments.written(experimentId, wanted))
      const newest = await deps.experiments.definition(experimentId, revision)
      const { description, about } = newest
      const study = { experimentId, name: nameOf(newest), description, about }
      const { store } = deps
      const file = { sources, store, readAnswerFile, writtenOf, selection, filters, study, options }
      return await openArchive({ ...file, version, now })
    },
  }
}

type Store = ExportsDeps['store']

/** The stored lines, unchanged. */
function eventLines(store: Store, selection: ExportSelection): ReadFile {
  const nextPage = readAhead(
    (after: ExportPosition | null) => store.plan(selection, null, after, pagesPerPlan),
    (plan) => store.lines(plan),
  )
  let page = 0
  return async () => {
    const { content, isLast } = await nextPage()
    page++
    return { ...content, next: isLast ? null : page }
  }
}

/** Each part becomes bytes at once, for the same reason as below: in one text for the page it took half as long again. */
function eventCsv(store: Store, selection: ExportSelection, form: CsvForm): ReadFile {
  const nextPage = readAhead(
    (after: ExportPosition | null) => store.plan(selection, null, after, pagesPerPlan),
    (plan) => store.parts(plan),
  )
  let page = 0
  return async () => {
    const { content, isLast } = await nextPage()
    const chunks: Uint8Array[] = page === 0 ? [Buffer.from(eventCsvHeader(form))] : []
    let events = 0
    for (const part of content) {
      chunks.push(Buffer.from(eventCsvOf(part)))
      events += part.events.length
      if (events % rowsPerTurn < part.events.length) await othersTurn()
    }
    page++
    return { lines: Buffer.concat(chunks), events, next: isLast ? null : page }
  }
}

async function eventPage(store: Store, selection: ExportSelection, cursor: Cursor | null) {
  const from = cursor && (await positionAt(store, cursor.at))
  const pages = await store.plan(selection, null, from, maxPages)
  let [lines, count] = ['', 0]
  for (const page of pages) {
    const read = await store.lines(page)
    lines += read.lines
    count += read.events
  }
  const after = pages.at(-1)?.next ?? null
  const revisions = { count: 0, newest: 0 }
  const next = after && writeCursor({ table: 'events', at: placeOf(after), revisions })
  return { file: wholeFile(lines, count), next }
}

function fileOf({ columns, read }: RowSource, format: TableFormat, form: CsvForm): ReadFile {
  const encoder = createEncoder(format, columns, form)
  let page = 0
  return async () => {
    const { rows, isLast } = await read()
    const chunks: Uint8Array[] = []
    for (let from = 0; from === 0 || from < rows.length; from += rowsPerTurn) {
      const at = { isFirst: page === 0 && from === 0, isLast: isLast && from + rowsPerTurn >= rows.length }
      const chunk = encoder.encode(rows.slice(from, from + rowsPerTurn), at)
      // At once: until it is copied, V8 keeps a text as a tree of all the cells that it was made of.
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      await othersTurn()
    }
    page++
    return { lines: Buffer.concat(chunks), events: rows.length, next: isLast ? null : page }
  }
}

/** A file that is already there. */
const wholeFile =
  (lines: string | Uint8Array, rows: number): ReadFile =>
  async () => ({ lines, events: rows, next: null })

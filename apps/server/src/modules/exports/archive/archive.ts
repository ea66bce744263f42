import { createHash } from 'node:crypto'
import { type About, type ExperimentDefinition, type ExportTable, exportedTables } from '@atrium/contract'
import type { ExportSelection, ExportStore } from '../exports.store.ts'
import { type CsvForm, createCsvEncoder } from '../formats/csv.ts'
import type { ReadFile } from '../resumption.ts'
import type { RowSource, RowSources } from '../row-sources.ts'
import type { Row } from '../tables/row.ts'
import { loadedTables } from './analysis/loaded-tables.ts'
import { plotFacts } from './analysis/plot-facts.ts'
import { pythonScript } from './analysis/python.ts'
import { rScript } from './analysis/r.ts'
import { namedFiles } from './answer-files.ts'
import { citationFileOf } from './citation.ts'
import { datasetDescription } from './dataset-description.ts'
import { type FileRecord, type ManifestFacts, manifestOf } from './manifest.ts'
import { readmeOf } from './readme.ts'
import { type MaterialRecord, materialsOf } from './study/materials.ts'
import { readZip, type ZippedFile } from './zip.ts'

/** The bytes of a file in an answer, piece by piece; undefined if there is none, or no longer. */
export type ReadAnswerFile = (
  participantId: string,
  fileId: string,
) => Promise<AsyncIterable<Uint8Array> | undefined>

export interface ArchiveOptions extends CsvForm {
  /** Whether the definitions say which answers count as correct. */
  answerKeys: boolean
}

interface ArchiveDeps {
  sources: RowSources
  store: Pick<ExportStore, 'plan' | 'parts'>
  readAnswerFile: ReadAnswerFile
  selection: ExportSelection
  /** As asked for. */
  filters: Record<string, unknown>
  study: { experimentId: string; name: string; description: string | undefined; about: About | undefined }
  /** With the texts of every language. */
  writtenOf(revision: number): Promise<ExperimentDefinition>
  options: ArchiveOptions
  version: string
  now: number
}

/**
 * R47: all tables of a study and the files of its answers as a ZIP file in the form of Psych-DS. The manifest is last: it has
 * the hashes of the others.
 */
export async function openArchive(deps: ArchiveDeps): Promise<ReadFile> {
  const { sources, study, version, now, options } = deps
  const selection = settled(deps.selection, now)
  const known = await sources.codebookOf(selection)
  const tables = exportedTables.filter((table) => isIn(table, selection))
  const { answerKeys } = options
  const { revisions } = known
  const facts: ManifestFacts = { ...study, version, now, revisions, filters: deps.filters, answerKeys }
  const materials: MaterialRecord[] = []
  const joined = { first: Infinity, last: -Infinity }
  const noteJoining = ({ joinedAt }: Row): void => {
    if (typeof joinedAt !== 'number') return
    joined.first = Math.min(joined.first, joinedAt)
    joined.last = Math.max(joined.last, joinedAt)
  }
  const { recorded, records, rows } = createFileRecords()
  const tableFile = (path: string, table: ExportTable): ZippedFile =>
    recorded(path, table, async function* () {
      const source = await sources.open(selection, table, known)
      yield* csvParts(source, options, table === 'participants' ? noteJoining : undefined)
    })
  const textFile = (path: string, text: string): ZippedFile => recorded(path, null, () => whole(text))
  /** One definition after the other: a study may have many revisions. */
  async function* materialFiles(): AsyncGenerator<ZippedFile> {
    for (const revision of revisions) {
      const { files, record } = materialsOf(revision, await deps.writtenOf(revision), options)
      materials.push(record)
      for (const { path, text } of files) yield textFile(path, text)
    }
  }
  const codebook = known.codebook.rows(tables)
  async function* answerFiles(): AsyncGenerator<ZippedFile> {
    for await (const { participantId, fileId, path } of namedFiles(deps.store, selection)) {
      const bytes = await deps.readAnswerFile(participantId, fileId)
      if (bytes) yield { ...recorded(path, null, () => piecesOf(bytes)), compressionLevel: 1 }
    }
  }
  async function* files(): AsyncGenerator<ZippedFile> {
    yield textFile('README.md', readmeOf(facts, tables, dataPath))
    const citation = citationFileOf(facts)
    if (citation !== undefined) yield textFile('CITATION.cff', citation)
    yield* materialFiles()
    for (const table of tables) yield tableFile(dataPath(study.experimentId, table), table)
    yield tableFile('documentation/codebook.csv', 'codebook')
    const loaded = loadedTables(codebook, tables, (table) => dataPath(study.experimentId, table))
    yield textFile('analysis/analysis.R', rScript(loaded, plotFacts()))
    yield textFile('analysis/analysis.py', pythonScript(loaded, plotFacts()))
    yield* answerFiles()
    // After the table of participants, which says when they came.
    yield textFile('dataset_description.json', json(datasetDescription(facts, codebook, joined)))
    yield {
      path: 'documentation/manifest.json',
      content: () => texts(json(manifestOf(facts, materials, records))),
    }
  }

  const read = readZip(files(), now)
  let [page, counted] = [0, 0]
  return async () => {
    const lines = await read()
    const written = rows()
    const events = written - counted
    counted = written
    page++
    return { lines: lines ?? '', events, next: lines === null ? null : page }
  }
}

/** Notes what the manifest says of each file while it is written. */
function createFileRecords() {
  const records: FileRecord[] = []
  let rows = 0

  const recorded = (
    path: string,
    table: ExportTable | null,
    content: () => AsyncIterable<Part>,
  ): ZippedFile => ({
    path,
    async *content() {
      const hash = createHash('sha256')
      const record = { path, table, rows: 0, bytes: 0 }
      for await (const part of content()) {
        const bytes = Buffer.from(part.text)
        hash.update(bytes)
        record.bytes += bytes.length
        record.rows += part.rows
        rows += part.rows
        yield bytes
      }
      records.push({ ...record, rows: table === null ? null : record.rows, sha256: hash.digest('hex') })
    },
  })

  return { recorded, records, rows: (): number => rows }
}

/** Psych-DS: pairs of a keyword and a value without separators, and the ending `_data.csv`. */
function dataPath(experimentId: string, table: ExportTable): string {
  const study = experimentId.replace(/[^A-Za-z0-9]/g, '')
  const name = table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `data/${study === '' ? '' : `study-${study}_`}description-${name}_data.csv`
}

/** Tables are read one after another. People who join meanwhile would be in the last ones only. */
const settled = (selection: ExportSelection, now: number): ExportSelection => ({
  ...selection,
  filters: { ...selection.filters, joinedBefore: Math.min(selection.filters.joinedBefore ?? now, now) },
})

/** Calls of models have no status, so that of their agents' rooms would be a guess. */
const isIn = (table: ExportTable, { filters }: ExportSelection): boolean =>
  table !== 'agent_turns' || filters.status === null

interface Part {
  text: string | Uint8Array
  rows: number
}

async function* csvParts(
  { columns, read }: RowSource,
  form: CsvForm,
  onRow: ((row: Row) => void) | undefined,
): AsyncGenerator<Part> {
  const encoder = createCsvEncoder(columns, form)
  for (let isFirst = true; ; isFirst = false) {
    const { rows, isLast } = await read()
    if (onRow) rows.forEach(onRow)
    yield { text: encoder.encode(rows, { isFirst, isLast }), rows: rows.length }
    if (isLast) return
  }
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  for await (const text of bytes) yield { text, rows: 0 }
}

async function* whole(text: string): AsyncGenerator<Part> {
  yield { text, rows: 0 }
}

async function* texts(text: string): AsyncGenerator<string> {
  yield text
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

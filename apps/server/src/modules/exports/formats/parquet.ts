import { type ColumnType, type ExportColumn, snakeName } from '@atrium/contract'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { Cell, Row } from '../tables/row.ts'
import type { Encoder } from './encoder.ts'

/**
 * A row group is encoded in one go, during which nothing else happens on this thread, and each leaves a description of
 * every column in memory until the end. Smaller groups would be read more slowly as well.
 */
const bytesPerGroup = 2_097_152

/** Writes row groups of about the same size, so that memory does not grow with the rows. */
export function createParquetEncoder(columns: readonly ExportColumn[]): Encoder {
  const writer = new ByteWriter()
  const elements = columns.map(elementOf)
  const schema = [{ name: 'root', num_children: columns.length }, ...elements]
  // Statistics would keep the smallest and largest text of every group, whatever their length.
  const parquet = new ParquetWriter({ writer, schema, statistics: false })
  let [waiting, bytes]: [Row[], number] = [[], 0]

  function writeGroup(): void {
    if (waiting.length === 0) return
    const columnData = columns.map(({ name, type }) => ({
      name: snakeName(name),
      data: waiting.map((row) => parquetValue(type, row[name] ?? null)),
      offsetIndex: false,
    }))
    parquet.write({ columnData, rowGroupSize: waiting.length })
    ;[waiting, bytes] = [[], 0]
  }

  return {
    encode(rows, { isLast }) {
      for (const row of rows) {
        waiting.push(row)
        for (const { name } of columns) bytes += sizeOf(row[name])
        if (bytes >= bytesPerGroup) writeGroup()
      }
      if (isLast) {
        writeGroup()
        // The writer would make JSON of our JSON, so it took it for text until here.
        elements.forEach((element, index) => {
          if (columns[index]?.type === 'json') element.converted_type = 'JSON'
        })
        parquet.finish()
      }
      const written = new Uint8Array(writer.getBuffer())
      // The writer counts on from `offset`; `index` is only its place in the buffer.
      writer.index = 0
      return written
    },
  }
}

const elementOf = ({ name, type }: ExportColumn): SchemaElement => ({
  name: snakeName(name),
  repetition_type: 'OPTIONAL',
  ...physical[type],
})

const physical: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

function parquetValue(type: ColumnType, cell: Exclude<Cell, undefined>) {
  if (cell === null) return null
  if (type === 'json') return withoutHalves(String(cell))
  return type === 'whole' || type === 'time' ? BigInt(Math.round(Number(cell))) : cell
}

/** A pair of surrogates, a half without the other one, or any other escape, so that an escaped backslash begins none. */
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g

/**
 * Readers check the JSON of a column that says it is JSON. DuckDB refuses the whole file for one half of a surrogate pair,
 * which anybody can send, so it becomes U+FFFD, as in texts.
 */
const withoutHalves = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json)
    ? json.replace(escapes, (found, half?: string) => (half === undefined ? found : '\\ufffd'))
    : json

/** Roughly; an empty cell takes next to nothing. */
function sizeOf(cell: Cell): number {
  if (cell === null || cell === undefined) return 1
  return typeof cell === 'string' ? cell.length + 4 : 8
}

import type { ExportColumn, TableFormat } from '@atrium/contract'
import { type CsvForm, createCsvEncoder } from './csv.ts'
import type { Encoder } from './encoder.ts'
import { createJsonlEncoder } from './jsonl.ts'
import { createParquetEncoder } from './parquet.ts'

export function createEncoder(format: TableFormat, columns: readonly ExportColumn[], form: CsvForm): Encoder {
  switch (format) {
    case 'jsonl':
      return createJsonlEncoder(columns)
    case 'csv':
      return createCsvEncoder(columns, form)
    case 'parquet':
      return createParquetEncoder(columns)
  }
}

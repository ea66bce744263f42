import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { createParquetEncoder } from './parquet.ts'

test('[D9] row groups have about 2 MB and no statistics, however the rows come', async () => {
  const folder = createTemporaryFolder('parquet')
  onTestFinished(folder.remove)
  const encoder = createParquetEncoder([{ name: 'someText', type: 'text', description: '' }])
  const rows = Array.from({ length: 60 }, (_, at) => ({ someText: String(at % 10).repeat(100_000) }))
  const parts = [rows.slice(0, 1), rows.slice(1, 45), rows.slice(45)].map((some, at) =>
    encoder.encode(some, { isFirst: at === 0, isLast: at === 2 }),
  )
  const file = join(folder.path, 'table.parquet')
  writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part))))
  const duckdb = await DuckDBInstance.create(':memory:')
  const connection = await duckdb.connect()
  const read = await connection.runAndReadAll(
    `select row_group_num_rows, stats_min, stats_max from parquet_metadata('${file}') order by row_group_id`,
  )
  connection.closeSync()
  duckdb.closeSync()
  const groups = read.getRowObjectsJson()
  expect(groups.map((group) => Number(group.row_group_num_rows))).toEqual([21, 21, 18])
  expect(groups.map(({ stats_min, stats_max }) => [stats_min, stats_max])).toEqual(
    groups.map(() => [null, null]),
  )
})

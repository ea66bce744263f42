import type { DataSource, DataTarget, ObjectSource, ObjectTarget } from '../ports/transfer.ts'
import { copyObject, hashOf } from './copy-objects.ts'
import { fillTable, type Report } from './fill-tables.ts'
import { tablesInOrder } from './tables-in-order.ts'

interface MoveDeps {
  source: DataSource
  target: DataTarget
  /** Undefined if the objects stay where they are. */
  objects: { from: ObjectSource; to: ObjectTarget } | undefined
  report: Report
}

export interface Moved {
  tables: number
  rows: number
  objects: number
}

/** Copies an installation that nobody changes meanwhile. */
export async function moveInstallation({ source, target, objects, report }: MoveDeps): Promise<Moved> {
  const moved: Moved = { tables: 0, rows: 0, objects: 0 }
  // First, so that an object store that is not empty is noticed before the database is touched.
  for await (const key of objects?.from.keys() ?? []) {
    const object = await objects?.from.open(key)
    if (!object || !objects) continue
    report(`objects: ${moved.objects + 1}`)
    await copyObject(objects.to, { ...object, key, sha256: await hashOf(object) })
    moved.objects++
  }
  await target.begin(source.migrations.at(-1) ?? '')
  for (const name of tablesInOrder) {
    const columns = await source.columnsOf(name)
    if (columns.length === 0) continue
    const { rows } = await fillTable(target, { name, columns, pages: source.rows(name, columns) }, report)
    moved.tables++
    moved.rows += rows
  }
  await target.finish()
  return moved
}

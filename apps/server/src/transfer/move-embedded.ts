import { openPostgresTarget } from '../adapters/postgres/postgres-target.ts'
import { holdFolderAlone } from '../adapters/sqlite/folder-lock.ts'
import { openSqliteSource, refuseWithoutDatabase } from '../adapters/sqlite/sqlite-source.ts'
import type { Config } from '../config/config.ts'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import type { DataSource, DataTarget, ObjectSource, ObjectTarget } from '../ports/transfer.ts'
import { copyObject, hashOf } from './copy-objects.ts'
import { fillTable, type Report } from './fill-tables.ts'
import { openObjectFolder, openObjectTarget, thisVersion } from './installation.ts'
import { refuseUnknownSchema } from './manifest.ts'
import { tablesInOrder } from './tables-in-order.ts'

interface Destination {
  databaseUrl: string
  /** The objects stay in DATA_DIR. */
  keepsObjects: boolean
}

/** From DATA_DIR to PostgreSQL and the configured object store. What is in DATA_DIR stays as it is. */
export async function moveEmbedded(
  config: Config,
  { databaseUrl, keepsObjects }: Destination,
  report: Report,
): Promise<Moved> {
  refuseWithoutDatabase(config.dataDir)
  // Before the source is opened: what a server writes while it stops would not be in it.
  const closing: { close(): unknown }[] = [holdStopped(config.dataDir)]
  try {
    const source = await openSqliteSource(config.dataDir)
    closing.push(source)
    refuseUnknownSchema(source.migrations, thisVersion)
    const objects = keepsObjects ? undefined : await findObjects(config)
    if (objects) closing.push(objects.to)
    const target = await openPostgresTarget(databaseUrl, tablesInOrder)
    closing.push(target)
    return await moveInstallation({ source, target, objects, report })
  } finally {
    for (const part of closing.toReversed()) await part.close()
  }
}

/** What a server writes after its tables were copied would be lost. Held until the end, so that none starts. */
function holdStopped(dataDir: string): { close(): unknown } {
  try {
    return holdFolderAlone(dataDir)
  } catch {
    throw new TransferRefused(
      `A server is using ${dataDir} (DATA_DIR): stop it first, so that nothing is written there while it is moved.`,
    )
  }
}

/** Undefined if there are none. An installation that already uses an S3 keeps using it. */
async function findObjects(config: Config): Promise<{ from: ObjectSource; to: ObjectTarget } | undefined> {
  const from = openObjectFolder(config.dataDir)
  const { done: isEmpty } = await from.keys()[Symbol.asyncIterator]().next()
  if (isEmpty) return undefined
  if (!config.objectStore)
    throw new TransferRefused(
      `There are objects (videos) in ${config.dataDir}/objects: say with --objects where to copy them, or with --keep-objects that they stay there.`,
    )
  const to = await openObjectTarget(config)
  return to && { from, to }
}

interface MoveDeps {
  source: DataSource
  target: DataTarget
  /** Undefined if the objects stay where they are. */
  objects: { from: ObjectSource; to: ObjectTarget } | undefined
  report: Report
}

interface Moved {
  tables: number
  rows: number
  objects: number
}

/** Copies an installation that nobody changes meanwhile. */
async function moveInstallation({ source, target, objects, report }: MoveDeps): Promise<Moved> {
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

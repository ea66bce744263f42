import { openPostgresTarget } from '../adapters/postgres/postgres-target.ts'
import { holdFolderAlone } from '../adapters/sqlite/folder-lock.ts'
import { openSqliteSource, refuseWithoutDatabase } from '../adapters/sqlite/sqlite-source.ts'
import type { Config } from '../config/config.ts'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import type { ObjectSource, ObjectTarget } from '../ports/transfer.ts'
import type { Report } from './fill-tables.ts'
import { openObjectFolder, openObjectTarget, thisVersion } from './installation.ts'
import { refuseUnknownSchema } from './manifest.ts'
import { type Moved, moveInstallation } from './move-installation.ts'
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
      `There are objects (films) in ${config.dataDir}/objects: say with --objects where to copy them, or with --keep-objects that they stay there.`,
    )
  const to = await openObjectTarget(config)
  return to && { from, to }
}

import { join } from 'node:path'
import { createObjectStore, ObjectRemoved, readObjectFolder } from '@atrium/object-store'
import { usingKey } from '@atrium/program'
import about from '../../package.json' with { type: 'json' }
import { openPostgresSource } from '../adapters/postgres/postgres-source.ts'
import { openPostgresTarget } from '../adapters/postgres/postgres-target.ts'
import { openS3Objects } from '../adapters/s3/s3-objects.ts'
import { migrationNames } from '../adapters/sql/migrations/migrations.ts'
import { openSqliteSource } from '../adapters/sqlite/sqlite-source.ts'
import { openSqliteTarget } from '../adapters/sqlite/sqlite-target.ts'
import type { Config } from '../config/config.ts'
import { ObjectGone } from '../kernel/transfer-errors.ts'
import type { DataSource, DataTarget, ObjectSource, ObjectTarget } from '../ports/transfer.ts'
import type { Known } from './manifest.ts'
import { tablesInOrder } from './tables-in-order.ts'

/** What backups this version makes and takes. */
export const thisVersion: Known = {
  version: about.version,
  migrations: migrationNames,
  tables: tablesInOrder,
}

export const openSource = ({ databaseUrl, dataDir }: Config): Promise<DataSource> =>
  databaseUrl ? openPostgresSource(databaseUrl) : openSqliteSource(dataDir)

export const openTarget = ({ databaseUrl, dataDir }: Config): Promise<DataTarget> =>
  databaseUrl ? openPostgresTarget(databaseUrl, tablesInOrder) : openSqliteTarget(dataDir)

/** Where the objects of an installation are; undefined for several instances without an object store. */
export function openObjectSource(config: Config): ObjectSource | undefined {
  if (config.objectStore) return openS3Objects({ ...config.objectStore, bucket: config.video.bucket })
  return config.horizontalScaling ? undefined : openObjectFolder(config.dataDir)
}

export async function openObjectTarget(config: Config): Promise<ObjectTarget | undefined> {
  if (config.objectStore) return openS3Objects({ ...config.objectStore, bucket: config.video.bucket })
  return config.horizontalScaling ? undefined : await openOwnStore(config)
}

/** The folder of the embedded store, beside a server that may be using it. */
export function openObjectFolder(dataDir: string): ObjectSource {
  const folder = readObjectFolder(join(dataDir, 'objects'))
  return {
    keys: folder.keys,
    async open(key) {
      const object = await folder.open(key)
      return object && { ...object, read: (range) => untilGone(object.read(range)) }
    },
    close: async () => undefined,
  }
}

async function* untilGone(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw error instanceof ObjectRemoved ? new ObjectGone(error.message, { cause: error }) : error
  }
}

/** Only this process uses the store, so it has no keys for requests. */
async function openOwnStore({ dataDir, video: { bucket } }: Config): Promise<ObjectTarget> {
  const store = await usingKey('DATA_DIR', () =>
    createObjectStore({ folder: join(dataDir, 'objects'), bucket, credentials: [] }),
  )
  return {
    ...openObjectFolder(dataDir),
    put: (key, object) => store.direct.put(key, object.read(), object),
    close: store.close,
  }
}

import { limits } from '@atrium/contract'
import { type Tracing, usingKey } from '@atrium/program'
import { diskOf } from '../adapters/disk/disk-of.ts'
import { openPostgres } from '../adapters/postgres/open-postgres.ts'
import type { Database } from '../adapters/sql/stores.ts'
import { traceStores } from '../adapters/sql/traced-stores.ts'
import { openSqlite } from '../adapters/sqlite/open-sqlite.ts'
import type { Config } from '../config/config.ts'
import {
  type Clock,
  createSharedClock,
  type ExactClock,
  type SharedClock,
  systemClock,
} from '../kernel/clock.ts'
import { type Disk, type Space, type SpaceLevel, watchSpace } from '../kernel/space.ts'
import { type ClockNotice, createSteadyClock } from '../kernel/steady-clock.ts'

export interface Storage {
  database: Database
  /** The time of the database that instances share; it must be read again and again. */
  sharedClock: SharedClock | undefined
  /** The time as it is given to us. */
  source: Clock
  /** The same without its jumps. */
  clock: ExactClock
}

interface StorageContext {
  tracing: Tracing | undefined
  /** Called for a path that other users may read. */
  onShared(path: string): void
  onBackgroundError(error: unknown): void
  warn(facts: Record<string, unknown>, message: string): void
}

const clockNotices: Record<ClockNotice, string> = {
  jumped: 'the clock has jumped; the server does not follow it',
  adopted: 'the clock has stayed ahead for long; the server follows it now',
  behind:
    'the clock has stayed behind for long; the server’s time runs slower until they agree. A restart sets it',
}

/** The database, and the time that goes with it: instances that share one go by its clock. */
export async function openStorage(
  { databaseUrl, databasePatienceMs, dataDir }: Config,
  { tracing, onShared, onBackgroundError, warn }: StorageContext,
): Promise<Storage> {
  const opened = databaseUrl
    ? await usingKey('DATABASE_URL', () =>
        openPostgres(databaseUrl, onBackgroundError, { patienceMs: databasePatienceMs }),
      )
    : await usingKey('DATA_DIR', () => openSqlite(dataDir, { onError: onBackgroundError, onShared }))
  const database = tracing ? traceStores(opened, tracing) : opened
  const sharedClock = databaseUrl ? await createSharedClock(() => database.operations.time()) : undefined
  const source = sharedClock ?? systemClock
  const clock = createSteadyClock(source, (notice, differenceMs) =>
    warn({ notice, differenceMs }, clockNotices[notice]),
  )
  return { database, sharedClock, source, clock }
}

const spaceNotices: Record<SpaceLevel, string> = {
  enough: 'the disk has enough space again',
  low: 'the disk has little space left; participants can only finish',
  critical: 'the disk has almost no space left; participants can only complete or leave',
}

/** The space for what participants store. Only of the embedded database do we know the disk. */
export async function openSpace(
  { databaseUrl, dataDir, minFreeBytes }: Config,
  { warn, onBackgroundError }: Pick<StorageContext, 'warn' | 'onBackgroundError'>,
): Promise<{ space: Space; keepFreeBytes: number }> {
  const floorBytes = ({ totalBytes }: Disk): number =>
    minFreeBytes ?? Math.min(limits.minFreeBytes, Math.floor(totalBytes / 10))
  const space = await watchSpace({
    measure: databaseUrl ? undefined : () => diskOf(dataDir),
    floorBytes,
    onLevel: (level, freeBytes) => warn({ level, freeBytes, dataDir }, spaceNotices[level]),
    onError: onBackgroundError,
  })
  return { space, keepFreeBytes: databaseUrl ? 0 : floorBytes(await diskOf(dataDir)) }
}

import { type Kysely, sql } from 'kysely'

/**
 * Where the names of migrations that have run are recorded. Not in Kysely's own table: version 0.1.0 refuses to start when
 * that has a name which it does not know, so an instance of it could not restart during an update, nor after it.
 */
export const migrationRecord = 'atrium_migration'
export const migrationLock = 'atrium_migration_lock'
/** The record of version 0.1.0, which stays as that version has left it. */
export const formerRecord = 'kysely_migration'

/** Everything that records migrations. */
export const recordTables: readonly string[] = [
  migrationRecord,
  migrationLock,
  formerRecord,
  'kysely_migration_lock',
]

/** The record to read in a database that this version may not have migrated yet. */
export const recordIn = (hasTable: (name: string) => boolean): string | undefined =>
  [migrationRecord, formerRecord].find(hasTable)

/** The lock of Kysely's migrator, which an instance of 0.1.0 holds while it migrates. */
const kyselysLock = '3853314791062309107'

type RecordTables = Record<string, { name: string; timestamp: string }>

/**
 * Takes over into our record what version 0.1.0 has run, and returns whether that was anything. At every start, because
 * an instance of 0.1.0 may migrate an empty database at the same time. Does nothing to an empty database.
 */
export async function adoptFormerRecord(engine: 'sqlite' | 'postgres', db: Kysely<never>): Promise<boolean> {
  if (!(await tablesOf(db)).includes(formerRecord)) return false
  return await db.transaction().execute(async (transaction) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${kyselysLock}::bigint)`.execute(transaction)
    await transaction.schema
      .createTable(migrationRecord)
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute()
    const former = sql.table(formerRecord)
    const ours = sql.table(migrationRecord)
    // Another instance may have been first.
    const { numAffectedRows = 0n } =
      await sql`insert into ${ours} (name, timestamp) select name, timestamp from ${former}
        where name not in (select name from ${ours})`.execute(transaction)
    return numAffectedRows > 0n
  })
}

/** The names of migrations that have run. */
export async function recordedMigrations(db: Kysely<never>): Promise<string[]> {
  if (!(await tablesOf(db)).includes(migrationRecord)) return []
  const rows = await (db as unknown as Kysely<RecordTables>)
    .selectFrom(migrationRecord)
    .select('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Those of the current schema: another application may use the same database. */
async function tablesOf(db: Kysely<never>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (tables.every(({ schema }) => schema === undefined)) return tables.map(({ name }) => name)
  const { rows } = await sql<{ current: string }>`select current_schema() as current`.execute(db)
  return tables.filter(({ schema }) => schema === rows[0]?.current).map(({ name }) => name)
}

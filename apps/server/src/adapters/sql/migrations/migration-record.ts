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

/** Any number that nobody else uses. */
const adoptionLock = 7_203_912

type RecordTables = Record<string, { name: string; timestamp: string }>

/** Begins our record with what version 0.1.0 has run. Does nothing to an empty database. */
export async function adoptFormerRecord(engine: 'sqlite' | 'postgres', db: Kysely<never>): Promise<void> {
  const tables = await tablesOf(db)
  if (tables.includes(migrationRecord) || !tables.includes(formerRecord)) return
  await db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${adoptionLock})`.execute(transaction)
    await transaction.schema
      .createTable(migrationRecord)
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute()
    const former = sql.table(formerRecord)
    const ours = sql.table(migrationRecord)
    // Another instance may have been first.
    await sql`insert into ${ours} (name, timestamp) select name, timestamp from ${former}
      where name not in (select name from ${ours})`.execute(transaction)
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

async function tablesOf(db: Kysely<never>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.map(({ name }) => name)
}

import { createTestDatabase } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import previous from '../../../../test/cluster/upgrade/previous-release.json' with { type: 'json' }
import { formerRecord, migrationRecord, recordedMigrations } from './migration-record.ts'
import { migrateToLatest, migrateUpTo, migrationNames } from './migrations.ts'
import { incompatibilities, readSchema } from './test/schema.ts'

type Engine = 'sqlite' | 'postgres'
const both: Engine[] = ['sqlite', 'postgres']

async function openEmpty(engine: Engine): Promise<Kysely<never>> {
  const dialect =
    engine === 'sqlite'
      ? new SqliteDialect({ database: new Sqlite(':memory:') })
      : new PostgresDialect({
          pool: new pg.Pool({ connectionString: await createTestDatabase(), max: 2 }),
        })
  const db = new Kysely<never>({ dialect })
  onTestFinished(() => db.destroy())
  return db
}

/** What one release must not do, on which engines, and what is to be found. */
const breaking: [what: string, statement: string, engines: Engine[], found: RegExp][] = [
  ['a dropped table', 'drop table audit_log', both, /^audit_log is gone/],
  ['a renamed table', 'alter table audit_log rename to audit', both, /^audit_log is gone/],
  [
    'a renamed column',
    'alter table sessions rename column last_activity_at to active_at',
    both,
    /sessions\.last_activity_at is gone/,
  ],
  [
    'another type',
    'alter table rooms alter column epoch type text',
    ['postgres'],
    /rooms\.epoch was \w+, is text/,
  ],
  [
    'a new column without a default',
    'alter table audit_log add column reason text not null',
    ['postgres'],
    /audit_log\.reason must be given/,
  ],
  [
    'a column that must be given now',
    'alter table rooms alter column closed_at set not null',
    ['postgres'],
    /rooms\.closed_at may no longer be null/,
  ],
  [
    'a column that may be missing now',
    'alter table rooms alter column experiment_id drop not null',
    ['postgres'],
    /rooms\.experiment_id may be null now/,
  ],
  [
    'rows that must be unique now',
    'create unique index one_room on rooms (experiment_id, created_at)',
    both,
    /rooms has a new rule: UNIQUE .*experiment_id, created_at/,
  ],
  [
    'a new check',
    'alter table rooms add column size integer check (size > 1)',
    both,
    /rooms has a new rule: check/i,
  ],
]

/**
 * They refuse nothing: they note what servers of that release write and do not count (ADR 34, S63), and forget what those
 * do not know to delete.
 */
const harmlessTriggers = [
  ...['note_join', 'note_outcome', 'note_completion', 'note_uncounted', 'forget_replay'],
  ...['note_place', 'note_session', 'note_session_end'],
]
const isHarmless = (fault: string): boolean =>
  harmlessTriggers.some((name) => fault.toLowerCase().endsWith(`trigger ${name}`))

describe.each(both)('A database of the previous release (%s)', (engine) => {
  test('is migrated without breaking the statements of that release', async () => {
    expect(migrationNames).toContain(previous.lastMigration)
    const db = await openEmpty(engine)
    await migrateUpTo(previous.lastMigration, engine, db)
    const before = await readSchema(engine, db)
    expect(before.size).toBeGreaterThan(10)
    await migrateToLatest(engine, db)
    const faults = incompatibilities(before, await readSchema(engine, db))
    expect(faults.filter((fault) => !isHarmless(fault))).toEqual([])
  })

  test.each(breaking.filter(([, , engines]) => engines.includes(engine)))(
    'would not be allowed %s',
    async (_what, statement, _engines, found) => {
      const db = await openEmpty(engine)
      await migrateUpTo(previous.lastMigration, engine, db)
      const before = await readSchema(engine, db)
      await sql.raw(statement).execute(db)
      const faults = incompatibilities(before, await readSchema(engine, db))
      expect(faults.filter((fault) => found.test(fault))).not.toEqual([])
    },
  )

  test('has its own record of migrations, which stays as it is', async () => {
    const db = await openEmpty(engine)
    await migrateUpTo(previous.lastMigration, engine, db)
    // As version 0.1.0 leaves it.
    await sql.raw(`alter table ${migrationRecord} rename to ${formerRecord}`).execute(db)
    await migrateToLatest(engine, db)
    const names = async (table: string) =>
      (await sql.raw<{ name: string }>(`select name from ${table} order by name`).execute(db)).rows.map(
        ({ name }) => name,
      )
    const known = migrationNames.slice(0, migrationNames.indexOf(previous.lastMigration) + 1)
    expect(await names(formerRecord)).toEqual(known)
    expect(await names(migrationRecord)).toEqual(migrationNames)
  })

  test('may still be migrated by that release when this one starts', async () => {
    const db = await openEmpty(engine)
    await migrateUpTo(previous.lastMigration, engine, db)
    // This release found its record empty, because the other one had not written it yet.
    await sql.raw(`alter table ${migrationRecord} rename to ${formerRecord}`).execute(db)
    await sql.raw(`create table ${migrationRecord} as select * from ${formerRecord} limit 0`).execute(db)
    await migrateToLatest(engine, db)
    expect(await recordedMigrations(db)).toHaveLength(migrationNames.length)
  })

  test('that a newer release has migrated is left as it is', async () => {
    const db = await openEmpty(engine)
    await migrateToLatest(engine, db)
    const later = '9999_later'
    await sql.raw(`insert into ${migrationRecord} values ('${later}', '2099-01-01T00:00:00Z')`).execute(db)
    const before = await readSchema(engine, db)
    await migrateToLatest(engine, db)
    expect(incompatibilities(before, await readSchema(engine, db))).toEqual([])
    // A name among ours that has not run is a damaged record, not a newer release.
    await sql.raw(`update ${migrationRecord} set name = '0002_other' where name = '0018_pilots'`).execute(db)
    await expect(migrateToLatest(engine, db)).rejects.toThrow('corrupted migrations')
  })
})

test('what another application has in another schema of PostgreSQL is not ours', async () => {
  const db = await openEmpty('postgres')
  await sql.raw(`create schema other`).execute(db)
  await sql.raw(`create table other.${formerRecord} (name text)`).execute(db)
  await migrateToLatest('postgres', db)
  expect(await recordedMigrations(db)).toHaveLength(migrationNames.length)
})

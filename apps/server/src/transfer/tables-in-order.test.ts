import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { recordTables } from '../adapters/sql/migrations/migration-record.ts'
import { migrateToLatest } from '../adapters/sql/migrations/migrations.ts'
import { tablesInOrder } from './tables-in-order.ts'

const database = new Sqlite(':memory:')
await migrateToLatest('sqlite', new Kysely<never>({ dialect: new SqliteDialect({ database }) }))

test('[R50] every table that the migrations make is transferred', () => {
  const names = database
    .prepare<[], { name: string }>(`select name from sqlite_master where type = 'table'`)
    .all()
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('sqlite_') && !recordTables.includes(name))
  expect([...tablesInOrder].sort()).toEqual(names.sort())
})

test('[R50] rows come after those they refer to', () => {
  const references = database
    .prepare<[], { child: string; parent: string }>(
      `select m.name as child, f."table" as parent from sqlite_master m, pragma_foreign_key_list(m.name) f`,
    )
    .all()
  expect(references.length).toBeGreaterThan(0)
  for (const { child, parent } of references)
    expect(tablesInOrder.indexOf(parent), `${parent} before ${child}`).toBeLessThan(
      tablesInOrder.indexOf(child),
    )
})

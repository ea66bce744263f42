import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { recordIn } from '../../adapters/sql/migrations/migration-record.ts'
import { migrationsFor } from '../../adapters/sql/migrations/migrations.ts'
import type { SqliteFacts } from '../judge/database.ts'
import { codeOf } from './error-code.ts'

/** Only reads, so that a running server is not disturbed. */
export function gatherSqlite(dataDir: string): SqliteFacts {
  const path = join(dataDir, 'atrium.db')
  if (!existsSync(path)) return { kind: 'absent' }
  try {
    const database = new Sqlite(path, { readonly: true, fileMustExist: true })
    try {
      const names = (sql: string) =>
        database
          .prepare<[], { name: string }>(sql)
          .all()
          .map(({ name }) => name)
      const tables = names("select name from sqlite_master where type = 'table'")
      const record = recordIn((name) => tables.includes(name))
      const applied = record === undefined ? undefined : names(`select name from ${record} order by name`)
      return { kind: 'read', migrations: { known: Object.keys(migrationsFor('sqlite')), applied } }
    } finally {
      database.close()
    }
  } catch (error) {
    return { kind: 'unreadable', code: codeOf(error) }
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
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
      const hasRun = names("select name from sqlite_master where name = 'kysely_migration'").length > 0
      const applied = hasRun ? names('select name from kysely_migration order by name') : undefined
      return { kind: 'read', migrations: { known: Object.keys(migrationsFor('sqlite')), applied } }
    } finally {
      database.close()
    }
  } catch (error) {
    return { kind: 'unreadable', code: codeOf(error) }
  }
}

import { join } from 'node:path'
import type { World } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { queryPostgres } from '../stores/engines.ts'

/** Reads past the server, for what it writes but never shows: the audit and the logs of rooms. */
export async function readRows(
  { databaseUrl, servers }: World,
  sql: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl !== undefined) return await queryPostgres(databaseUrl, sql)
  const database = new Sqlite(join(servers[0]?.dataDir ?? '', 'atrium.db'), { readonly: true })
  try {
    return database.prepare<[], Record<string, unknown>>(sql).all()
  } finally {
    database.close()
  }
}

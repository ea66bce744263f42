import { join } from 'node:path'
import type { World } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { queryPostgres } from '../stores/engines.ts'

/** Reads directly from the database what the server writes but never returns: the audit log and the room logs. */
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

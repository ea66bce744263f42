import pg from 'pg'
import { formerRecord, migrationRecord, recordIn } from '../../adapters/sql/migrations/migration-record.ts'
import { migrationsFor } from '../../adapters/sql/migrations/migrations.ts'
import type { ClockFacts } from '../judge/clock.ts'
import type { PostgresFacts } from '../judge/database.ts'
import { codeOf } from './error-code.ts'

const connectLimitMs = 4_000

const questions = `
  select current_setting('server_version_num')::int as version,
    has_schema_privilege(current_schema(), 'CREATE') as may_create,
    pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
    to_regclass('${migrationRecord}') is not null as has_record,
    to_regclass('${formerRecord}') is not null as has_former_record,
    current_setting('max_connections')::int - (select count(*) from pg_stat_activity)::int as free_connections,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`

const closedTables = `
  select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not (
    has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT') and
    has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE'))
  order by c.relname`

interface Answers {
  version: number
  may_create: boolean
  is_read_only: boolean
  has_record: boolean
  has_former_record: boolean
  free_connections: number
  now_ms: number
}

export async function gatherPostgres(
  url: string,
): Promise<{ facts: PostgresFacts; clock: ClockFacts | undefined }> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectLimitMs,
      statement_timeout: connectLimitMs,
      application_name: 'atrium doctor',
    })
    client.on('error', () => undefined) // The query under way rejects, too.
    await client.connect()
    const before = Date.now()
    const { rows } = await client.query<Answers>(questions)
    const now = (before + Date.now()) / 2
    const [answers] = rows
    if (!answers) throw new Error('no answer')
    const closed = await client.query<{ name: string }>(closedTables)
    const record = recordIn((name) =>
      name === migrationRecord ? answers.has_record : answers.has_former_record,
    )
    const mayRead = !closed.rows.some(({ name }) => name === record)
    const applied =
      record && mayRead
        ? await client.query<{ name: string }>(`select name from ${record} order by name`)
        : undefined
    return {
      clock: { other: 'PostgreSQL', aheadMs: answers.now_ms - now },
      facts: {
        kind: 'reached',
        version: answers.version,
        mayCreate: answers.may_create,
        isReadOnly: answers.is_read_only,
        freeConnections: answers.free_connections,
        closedTables: closed.rows.map(({ name }) => name),
        migrations: {
          known: Object.keys(migrationsFor('postgres')),
          applied: applied?.rows.map(({ name }) => name),
          isHidden: record !== undefined && !mayRead,
        },
      },
    }
  } catch (error) {
    return { facts: { kind: 'unreachable', code: codeOf(error) }, clock: undefined }
  } finally {
    await client?.end().catch(() => undefined)
  }
}

import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

const batchSize = 1_000

/**
 * R59: stores each session's pseudonym beside its id, so that a session can be found by it. The column may be null: an
 * instance of the previous version, still running while this one starts, opens sessions without a pseudonym.
 */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('pseudonym', 'text').execute()
  await db.schema
    .createIndex('sessions_without_pseudonym')
    .on('sessions')
    .column('session_id')
    .where('pseudonym' as never, 'is', null)
    .execute()
  await fillPseudonyms(db as unknown as Kysely<SessionTable>, engine)
  await db.schema.createIndex('sessions_by_pseudonym').unique().on('sessions').column('pseudonym').execute()
  await sql`update audit_log set subject = (select pseudonym from sessions where session_id = audit_log.subject)
    where action = 'session_revoked' and subject in (select session_id from sessions)`.execute(db)
}

interface SessionTable {
  sessions: { session_id: string; pseudonym: string | null }
}

async function fillPseudonyms(db: Kysely<SessionTable>, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('pseudonym', 'is', null)
      .orderBy('session_id')
      .limit(batchSize)
      .execute()
    if (rows.length === 0) return
    const pairs = rows.map(({ session_id }) => ({ session_id, pseudonym: pseudonymOf(session_id) }))
    const json = JSON.stringify(pairs)
    const named =
      engine === 'postgres'
        ? sql`json_to_recordset(${json}::json) as "named"("session_id" text, "pseudonym" text)`
        : sql`(select value ->> '$.session_id' as "session_id", value ->> '$.pseudonym' as "pseudonym" from json_each(${json})) as "named"`
    await sql`update sessions set pseudonym = named.pseudonym from ${named}
      where sessions.session_id = named.session_id`.execute(db)
  }
}

/** As it was when this migration was published; `kernel/ids.ts` has the present one. */
const pseudonymOf = (sessionId: string): string =>
  `ses_${hash('sha256', `atrium session pseudonym ${sessionId}`, 'base64url').slice(0, 22)}`

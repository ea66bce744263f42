import { type Kysely, sql } from 'kysely'
import { pseudonymOf } from '../../../kernel/ids.ts'
import { rowSet } from '../row-set.ts'
import type { Sql, Tables } from '../tables.ts'

const namedAtOnce = 1_000

/**
 * R59: keeps the pseudonym of each session beside its id, so that a session can be found by it. Empty is allowed: an instance of
 * the version before, which still runs while this one starts, opens sessions without it.
 */
export const addSessionPseudonyms = (engine: Sql['engine']) => async (db: Kysely<never>) => {
  await db.schema.alterTable('sessions').addColumn('pseudonym', 'text').execute()
  await db.schema
    .createIndex('sessions_without_pseudonym')
    .on('sessions')
    .column('session_id')
    .where('pseudonym' as never, 'is', null)
    .execute()
  await nameSessions({ engine, db: db as unknown as Kysely<Tables> })
  await db.schema.createIndex('sessions_by_pseudonym').unique().on('sessions').column('pseudonym').execute()
  await sql`update audit_log set subject = (select pseudonym from sessions where session_id = audit_log.subject)
    where action = 'session_revoked' and subject in (select session_id from sessions)`.execute(db)
}

async function nameSessions({ engine, db }: Sql): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('pseudonym', 'is', null)
      .orderBy('session_id')
      .limit(namedAtOnce)
      .execute()
    if (rows.length === 0) return
    const columns = { session_id: 'text', pseudonym: 'text' } as const
    const pairs = rows.map(({ session_id }) => ({ session_id, pseudonym: pseudonymOf(session_id) }))
    await sql`update sessions set pseudonym = named.pseudonym from ${rowSet(engine, 'named', columns, pairs)}
      where sessions.session_id = named.session_id`.execute(db)
  }
}

/** The id of the session with this pseudonym. Only after a miss is it worth looking for sessions that have none yet. */
export async function findSessionId(store: Sql, pseudonym: string): Promise<string | undefined> {
  const known = await lookUp(store, pseudonym)
  if (known !== undefined) return known
  await nameSessions(store)
  return await lookUp(store, pseudonym)
}

async function lookUp({ db }: Sql, pseudonym: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('pseudonym', '=', pseudonym)
    .executeTakeFirst()
  return row?.session_id
}

import { sql } from 'kysely'
import { pseudonymOf } from '../../../kernel/ids.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'

const namedAtOnce = 1_000

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

/** The id of the session with this pseudonym. Only after a miss is it worth naming sessions that have none yet. */
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

import { type Share, type ShareAccess, sessionPseudonymPrefix } from '@atrium/contract'
import { sql } from 'kysely'
import type { AccessStore, Subject } from '../../../modules/experiments/access.store.ts'
import { writeAudit } from '../operations.sql.ts'
import { findSessionId } from '../sessions/session-pseudonyms.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { asRecord } from './experiment-rows.sql.ts'
import { excludesTrials } from './visible-experiments.sql.ts'

export const createAccessStore = (store: Sql): AccessStore => ({
  find: (subject, principals) => find(store, subject, principals),
  visible: (owners, principals) => visible(store, owners, principals),
  shares: (experimentId) => readShares(store, experimentId),
  replaceShares: (replacement) => replaceShares(store, replacement),
})

/** Not a parameter: the index on owners has first revisions only, and a prepared plan must know that this is one. */
const firstRevision = sql.lit(1)

/** The experiment that a subject belongs to, each found by a key. */
function experimentOf({ db }: Sql, { kind, id }: Subject) {
  switch (kind) {
    case 'experimentId':
      return db.selectFrom('experiments').select('experiment_id').where('experiment_id', '=', id)
    case 'roomId':
      return db.selectFrom('rooms').select('experiment_id').where('room_id', '=', id)
    case 'sessionId':
      return db
        .selectFrom('sessions')
        .innerJoin('participants', 'participants.participant_id', 'sessions.participant_id')
        .select('participants.experiment_id')
        .where('sessions.session_id', '=', id)
  }
}

const find: Bound<AccessStore['find']> = async (store, named, principals) => {
  const subject = await withId(store, named)
  if (!subject) return undefined
  const rows = await store.db
    .selectFrom('experiments as e')
    .leftJoin('experiment_revisions as r', (on) =>
      on.onRef('r.experiment_id', '=', 'e.experiment_id').on('r.revision', '=', firstRevision),
    )
    .leftJoin('experiment_shares as s', (on) =>
      on.onRef('s.experiment_id', '=', 'e.experiment_id').on('s.principal', 'in', principals),
    )
    .select(['e.experiment_id as experimentId', 'r.created_by as owner', 's.access'])
    .where('e.experiment_id', '=', experimentOf(store, subject))
    .where(excludesTrials('e'))
    .execute()
  const [first] = rows
  if (!first) return undefined
  const { experimentId, owner } = first
  return { experimentId, owner, shared: rows.flatMap(({ access }) => asAccess(access)) }
}

/** R59: a session may be given by its pseudonym. */
async function withId(store: Sql, subject: Subject): Promise<Subject | undefined> {
  if (subject.kind !== 'sessionId' || !subject.id.startsWith(sessionPseudonymPrefix)) return subject
  const id = await findSessionId(store, subject.id)
  return id === undefined ? undefined : { ...subject, id }
}

const visible: Bound<AccessStore['visible']> = async ({ db }, owners, principals) => {
  const rows = await db
    .selectFrom('experiments as e')
    .leftJoin('experiment_revisions as r', (on) =>
      on.onRef('r.experiment_id', '=', 'e.experiment_id').on('r.revision', '=', firstRevision),
    )
    .selectAll('e')
    .select('r.created_by as owner')
    .where(excludesTrials('e'))
    .$if(owners !== null, (query) =>
      query.where('e.experiment_id', 'in', ({ selectFrom }) =>
        selectFrom('experiment_revisions')
          .select('experiment_id')
          .where('revision', '=', firstRevision)
          .where('created_by', 'in', owners)
          .union(
            selectFrom('experiment_shares').select('experiment_id').where('principal', 'in', principals),
          ),
      ),
    )
    .orderBy('e.created_at', 'desc')
    .orderBy('e.experiment_id')
    .execute()
  const shared = await sharedWith(db, principals)
  return rows.map((row) => ({
    record: asRecord(row),
    ownership: {
      experimentId: row.experiment_id,
      owner: row.owner,
      shared: shared.get(row.experiment_id) ?? [],
    },
  }))
}

async function sharedWith(db: Sql['db'], principals: string[]): Promise<Map<string, ShareAccess[]>> {
  const rows = await db
    .selectFrom('experiment_shares')
    .select(['experiment_id', 'access'])
    .where('principal', 'in', principals)
    .execute()
  const shared = new Map<string, ShareAccess[]>()
  for (const { experiment_id, access } of rows)
    shared.set(experiment_id, [...(shared.get(experiment_id) ?? []), ...asAccess(access)])
  return shared
}

async function readShares({ db }: Sql, experimentId: string): Promise<Share[]> {
  const rows = await db
    .selectFrom('experiment_shares')
    .select(['user_name', 'access'])
    .where('experiment_id', '=', experimentId)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ user_name, access }) =>
    asAccess(access).map((access) => ({ user: user_name, access })),
  )
}

const replaceShares: Bound<AccessStore['replaceShares']> = async ({ engine, db }, replacement) => {
  const { experimentId, shares, actor, now } = replacement
  await db.transaction().execute(async (tx) => {
    // Two researchers who replace the list at the same time do so one after the other.
    await tx
      .selectFrom('experiments')
      .select('experiment_id')
      .where('experiment_id', '=', experimentId)
      .$call(forUpdate(engine))
      .execute()
    const before = await readShares({ engine, db: tx }, experimentId)
    await tx.deleteFrom('experiment_shares').where('experiment_id', '=', experimentId).execute()
    const rows = shares.map(({ principal, user, access }, position) => ({
      experiment_id: experimentId,
      principal,
      user_name: user,
      access,
      position,
    }))
    if (rows.length > 0) await tx.insertInto('experiment_shares').values(rows).execute()
    const after = shares.map(({ user, access }) => ({ user, access }))
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await writeAudit(tx, {
      at: now,
      actor,
      action: 'experiment_shared',
      subject: experimentId,
      details: { before, after },
    })
  })
}

type Bound<Method extends (...args: never[]) => unknown> = (
  store: Sql,
  ...args: Parameters<Method>
) => ReturnType<Method>

/** Any other value gives no access. */
const asAccess = (text: string | null): ShareAccess[] => (text === 'view' || text === 'edit' ? [text] : [])

import { sql } from 'kysely'
import type { Creation, NewRoom } from '../../../modules/rooms/rooms.store.ts'
import { rowSet } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { stays } from './stays.sql.ts'

/** Seats people. Rows are locked in a fixed order, so that two rooms that want the same person do not deadlock. */
export async function createRoom({ engine, db }: Sql, room: NewRoom): Promise<Creation> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const free = await lockFree(tx, room)
    if (await exists(tx, room.roomId)) return { kind: 'created' }
    const first = free.find(({ participant_id }) => participant_id === room.members[0]?.participantId)
    const { revision, stage = null } = first ?? {}
    const isOfRoom = (row: (typeof free)[number]) => row.revision === revision && row.stage === stage
    const fit = new Set(free.filter(isOfRoom).map((row) => row.participant_id))
    const unfit = room.members.filter(({ participantId }) => !fit.has(participantId))
    if (revision === undefined || unfit.length > 0)
      return { kind: 'unfit', participantIds: unfit.map(({ participantId }) => participantId) }
    await db
      .insertInto('rooms')
      .values({
        room_id: room.roomId,
        experiment_id: room.experimentId,
        revision,
        pod_id: room.podId,
        created_at: room.now,
        closed_at: null,
        resting_since: room.now,
        stage,
        epoch: 0,
        seed: '',
        ordinal: null,
        agents: JSON.stringify(room.agents),
      })
      .execute()
    await seat(tx, room, free)
    await recordMatch(tx, room)
    return { kind: 'created' }
  })
}

/** The participants who may get a room now. */
async function lockFree({ engine, db }: Sql, { experimentId, members }: NewRoom) {
  return await db
    .selectFrom('participants as p')
    .select(['p.participant_id', 'p.revision', 'p.stage', 'p.joined_at'])
    .where(
      'p.participant_id',
      'in',
      members.map(({ participantId }) => participantId),
    )
    .where('p.experiment_id', '=', experimentId)
    .where('p.room_id', 'is', null)
    .where('p.completed_at', 'is', null)
    .where('p.holds_place', '=', 1)
    // R38: people who come by themselves are asked before they wait, but a researcher may name anybody.
    .where(({ eb, or }) => or([eb('p.consent_required', '=', 0), eb('p.consented_at', 'is not', null)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions as s')
          .select('s.session_id')
          .whereRef('s.participant_id', '=', 'p.participant_id')
          .where('s.status', '=', 'active'),
      ),
    )
    .orderBy('p.participant_id')
    .$call((query) => (engine === 'postgres' ? query.forUpdate('p') : query))
    .execute()
}

const exists = async ({ db }: Sql, roomId: string): Promise<boolean> =>
  (await db.selectFrom('rooms').select('room_id').where('room_id', '=', roomId).executeTakeFirst()) !==
  undefined

/** Aliases follow the order of joining, as the seats do when the room begins. */
async function seat(
  { engine, db }: Sql,
  { roomId, members }: NewRoom,
  free: readonly { participant_id: string; joined_at: number }[],
): Promise<void> {
  // People who joined in the same millisecond are already in the database's order of ids.
  const inOrder = free.toSorted((one, other) => one.joined_at - other.joined_at)
  const aliases = new Map(inOrder.map(({ participant_id }, index) => [participant_id, `P${index + 1}`]))
  const rows = members.map(({ participantId, role }) => ({
    participant_id: participantId,
    role,
    alias: aliases.get(participantId) ?? null,
  }))
  const columns = { participant_id: 'text', role: 'text', alias: 'text' } as const
  const seated = rowSet(engine, 'seated', columns, rows)
  await sql`update participants set room_id = ${roomId}, role = coalesce(seated.role, participants.role),
      alias = seated.alias
    from ${seated} where participants.participant_id = seated.participant_id`.execute(db)
}

/** M29: with each of the members, so that it goes when they are deleted. */
async function recordMatch({ db }: Sql, { roomId, experimentId, members, match }: NewRoom): Promise<void> {
  if (!match) return
  const { search, waiting, considered, passedOver, waitedMs, parts } = match
  const rows = members.map(({ participantId }, index) => ({
    ...{ participant_id: participantId, room_id: roomId, experiment_id: experimentId },
    ...{ search, waiting, considered, passed_over: passedOver },
    ...{ waited_ms: waitedMs[index] ?? 0, part: parts?.[index] ?? null },
  }))
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db
      .insertInto('matches')
      .values(rows.slice(from, from + rowsAtOnce))
      .execute()
}

/** Both engines limit the parameters of a statement. */
const rowsAtOnce = 100

/** A person may take part several times: the person counts, not the participation. */
export async function formerPartners(
  { engine, db }: Sql,
  experimentId: string,
  participantIds: string[],
): Promise<[string, string][]> {
  const rows = participantIds.map((participant_id) => ({ participant_id }))
  const waiting = rowSet(engine, 'w', { participant_id: 'text' }, rows)
  const found = await sql<{ one: string; other: string }>`
    with mine as (
      select w.participant_id, p.room_id from ${waiting}
      join participant_identities i on i.participant_id = w.participant_id
      join participant_identities same on same.issuer = i.issuer and same.subject = i.subject
        and same.experiment_id = ${experimentId}
      join ${stays} p on p.participant_id = same.participant_id
    )
    select distinct a.participant_id as one, b.participant_id as other
    from mine a join mine b on a.room_id = b.room_id and a.participant_id < b.participant_id`.execute(db)
  return found.rows.map(({ one, other }) => [one, other])
}

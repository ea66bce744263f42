import { sql } from 'kysely'
import type { WholeErasure } from '../../../modules/privacy/privacy.store.ts'
import type { ReplayedAction, RewrittenRoom } from '../../../modules/rooms/rooms.store.ts'
import { stays } from '../rooms/stays.sql.ts'
import { overRows } from '../row-set.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { deleteStreams } from './delete-streams.sql.ts'

/** In place of an action of theirs. The snapshot is newer, so nobody applies it again. */
const nothing = JSON.stringify({ type: 'erased' })

/**
 * Removes what one person did from a room that others are in. The new state takes the place of the whole log, which keeps
 * its numbers and what the others did. False if the room has moved on since it was read.
 */
export async function redactRoom(
  { engine, db }: Sql,
  { participantId, erasedId }: Pick<WholeErasure, 'participantId' | 'erasedId'>,
  { roomId, epoch, seq, state, replay }: RewrittenRoom,
): Promise<boolean> {
  const held = await db
    .selectFrom('rooms')
    .select('epoch')
    .where('room_id', '=', roomId)
    .$call(forUpdate(engine))
    .executeTakeFirst()
  if (held?.epoch !== epoch) return false
  // Nobody who has read the room before may write it.
  await db
    .updateTable('rooms')
    .set({ epoch: epoch + 1 })
    .where('room_id', '=', roomId)
    .execute()
  await db
    .insertInto('room_snapshots')
    .values({ room_id: roomId, seq, state })
    .onConflict((conflict) => conflict.column('room_id').doUpdateSet({ seq, state }))
    .execute()
  await db
    .updateTable('room_actions')
    .set({ actor: erasedId, action: nothing, action_id: null, answer: null })
    .where('room_id', '=', roomId)
    .where('actor', '=', participantId)
    .execute()
  await redactOthersActions(db, roomId, participantId)
  await db
    .updateTable('room_actions')
    .set({ action: sql<string>`replace(action, ${participantId}, ${erasedId})` })
    .where('room_id', '=', roomId)
    .where('action', 'like', `%${participantId}%`)
    .execute()
  if (replay) await writeReplay({ engine, db }, roomId, replay)
  await forgetCalls(db, roomId)
  await forgetInherited(db, roomId, participantId)
  return true
}

/** Bounds one statement; a recording may have 16 MiB. */
const maxCharactersAtOnce = 1_048_576

/** RM141: what is replayed in place of the log. */
async function writeReplay(
  { engine, db }: Sql,
  roomId: string,
  replay: readonly ReplayedAction[],
): Promise<void> {
  const columns = { room_id: 'text', seq: 'integer', replay: 'text' } as const
  const update = overRows(
    engine,
    'recorded',
    columns,
    (recorded) => sql`update room_actions set replay = recorded.replay from ${recorded}
      where room_actions.room_id = recorded.room_id and room_actions.seq = recorded.seq`,
  )
  let rows: object[] = []
  let characters = 0
  for (const row of replay) {
    rows.push({ room_id: roomId, ...row })
    characters += row.replay.length
    if (characters < maxCharactersAtOnce && row !== replay.at(-1)) continue
    await update(db, rows)
    rows = []
    characters = 0
  }
}

/** What they joined with or brought from the stages before, messages to nobody but them, and what agents noted, which may quote them. */
async function redactOthersActions(db: Sql['db'], roomId: string, participantId: string): Promise<void> {
  const rows = await db
    .selectFrom('room_actions')
    .select(['seq', 'action'])
    .where('room_id', '=', roomId)
    .where(({ or, eb }) =>
      or(['announce', 'agent_turn', 'opened'].map((type) => eb('action', 'like', `%"${type}"%`))),
    )
    .execute()
  for (const row of rows) {
    const { note: _quotes, ...action } = JSON.parse(row.action)
    const isToThem = action.type === 'announce' && action.to === participantId
    if (action.type === 'opened') withoutPast(action.members, participantId)
    const kept = isToThem ? nothing : JSON.stringify(action)
    if (kept !== row.action)
      await db
        .updateTable('room_actions')
        .set({ action: kept })
        .where('room_id', '=', roomId)
        .where('seq', '=', row.seq)
        .execute()
  }
}

function withoutPast(
  members: { participantId: string; metadata?: unknown; carried?: unknown }[],
  participantId: string,
): void {
  for (const member of members) {
    if (member.participantId !== participantId) continue
    delete member.metadata
    delete member.carried
  }
}

/** Models are asked with all that was said in the room. What the calls cost stays. */
const forgetCalls = async (db: Sql['db'], roomId: string): Promise<unknown> =>
  await db
    .updateTable('agent_calls')
    .set({ request: null, reply: null, error: null })
    .where('room_id', '=', roomId)
    .execute()

const nothingLeft = JSON.stringify({ erased: true })

/** R88: the answers of theirs with which an agent began that took their seat over. */
async function forgetInherited(db: Sql['db'], roomId: string, participantId: string): Promise<void> {
  const streams = await db
    .selectFrom('agent_participants as a')
    .innerJoin('event_streams as t', 't.session_id', 'a.session_id')
    .innerJoin(stays.as('p'), 'p.room_id', 'a.room_id')
    .select(['t.stream_no', 'p.alias'])
    .where('a.room_id', '=', roomId)
    .where('p.participant_id', '=', participantId)
    .execute()
  for (const { stream_no: streamNo, alias } of streams) {
    const events = db.selectFrom('events').where('stream_no', '=', streamNo)
    const seatings = await events.select('data').where('type', '=', 'agent_seated').execute()
    if (!seatings.some(({ data }) => JSON.parse(data).replaces === alias)) continue
    await db
      .updateTable('events')
      .set({ data: nothingLeft })
      .where('stream_no', '=', streamNo)
      .where('type', 'in', ['variables_changed', 'component_response'])
      .where('data', 'like', '%"inherited"%')
      .execute()
  }
}

/** A room that nobody else was in, with its agents. */
export async function deleteRoom({ engine, db }: Sql, roomId: string): Promise<void> {
  const agents = await db
    .selectFrom('event_streams')
    .select('stream_no')
    .where('session_id', 'in', (eb) =>
      eb.selectFrom('agent_participants').select('session_id').where('room_id', '=', roomId),
    )
    .execute()
  await deleteStreams(
    { engine, db },
    agents.map(({ stream_no }) => stream_no),
  )
  for (const table of [
    'agent_participants',
    'agent_calls',
    'room_snapshots',
    'room_actions',
    'rooms',
  ] as const)
    await db.deleteFrom(table).where('room_id', '=', roomId).execute()
}

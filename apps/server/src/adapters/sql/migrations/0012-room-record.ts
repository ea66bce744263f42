import { type Kysely, sql } from 'kysely'

/** Adds the columns about rooms that exported rows have, and fills them in for existing rows. */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const column of ['room_seq', 'round', 'visit'])
    await db.schema.alterTable('events').addColumn(column, 'integer').execute()
  await db.schema.alterTable('participants').addColumn('alias', 'text').execute()
  await db.schema.alterTable('rooms').addColumn('condition', 'text').execute()
  await nameSeats(db)
  await readConditions(db, engine)
  await findOrigins(db)
}

/** Seats, and so aliases, were given in the order of joining. */
async function nameSeats(db: Kysely<never>): Promise<void> {
  await sql`update participants set alias = seated.alias from (
      select participant_id,
        'P' || row_number() over (partition by room_id order by joined_at, participant_id) as alias
      from participants where room_id is not null
    ) as seated where participants.participant_id = seated.participant_id`.execute(db)
}

/** Every room that has ended has a snapshot. A running room gets its condition when it is next opened. */
async function readConditions(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const condition =
    engine === 'postgres' ? sql`(s.state::json ->> 'condition')` : sql`(s.state ->> '$.condition')`
  await sql`update rooms set condition = (
      select ${condition} from room_snapshots s where s.room_id = rooms.room_id
    ) where exists (select 1 from room_snapshots s where s.room_id = rooms.room_id)`.execute(db)
}

const typesOfRooms = [
  ...['state_transition', 'component_response', 'chat_message', 'ready', 'announcement'],
  ...['connected', 'disconnected', 'dropped', 'left', 'removed', 'finished'],
]

/**
 * Rows did not say who wrote them. A row written by a room has the exact time of one of the room's actions and none of
 * the columns that only clients set. Every other row came from a client.
 */
async function findOrigins(db: Kysely<never>): Promise<void> {
  await sql`update events set room_seq = found.room_seq from (
      select e.stream_no, e.seq, max(a.seq) as room_seq from events e
      join event_streams t on t.stream_no = e.stream_no
      join sessions s on s.session_id = t.session_id
      join participants p on p.participant_id = s.participant_id
      join room_actions a on a.room_id = p.room_id and a.at = e.received_at
      where e.event_id is null and e.extra is null and e.flags = ''
        and e.type in (${sql.join(typesOfRooms.map((type) => sql.lit(type)))})
      group by e.stream_no, e.seq
    ) as found where events.stream_no = found.stream_no and events.seq = found.seq`.execute(db)
}

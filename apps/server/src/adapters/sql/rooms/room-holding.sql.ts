import type { Agent } from '@atrium/contract'
import type { Assignment } from '@atrium/flow'
import { type Selectable, sql } from 'kysely'
import {
  type ClaimedRoom,
  type Departures,
  type DueRoom,
  duePerPage,
  type Member,
  type Rest,
  type RestOutcome,
  type RoomRecord,
} from '../../../modules/rooms/rooms.store.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'
import { assignPilotRoom, assignRoom, type Designs } from './assignments.sql.ts'
import { stays } from './stays.sql.ts'

type RoomRow = Selectable<Tables['rooms']>

/**
 * Rooms that an instance holds. A room without an ordinal has not begun: the first connection decides where it lives.
 * Servers older than 0011 do not record that it rests until then.
 */
export const awakeRooms = (db: Sql['db']) =>
  db
    .selectFrom('rooms')
    .where('closed_at', 'is', null)
    .where('resting_since', 'is', null)
    .where('ordinal', 'is not', null)

const isAsleep = (row: RoomRow): boolean =>
  row.closed_at === null && (row.resting_since !== null || row.ordinal === null)

export async function findRoom({ db }: Sql, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db.selectFrom('rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst()
  return row && (await recordOf(db, row))
}

const recordOf = async (db: Sql['db'], row: RoomRow): Promise<RoomRecord> => ({
  roomId: row.room_id,
  experimentId: row.experiment_id,
  revision: row.revision,
  stage: row.stage,
  podId: row.pod_id,
  epoch: row.epoch,
  seed: row.seed,
  ordinal: row.ordinal ?? 0,
  closedAt: row.closed_at,
  isAsleep: isAsleep(row),
  members: await membersOf(db, row.room_id),
  agents: JSON.parse(row.agents),
  personas: row.personas === null ? null : JSON.parse(row.personas),
  assignment: row.assignment === null ? null : JSON.parse(row.assignment),
})

async function membersOf(db: Sql['db'], roomId: string): Promise<Member[]> {
  const { rows } = await sql<{ participantId: string; role: string; carried: string | null }>`
    select p.participant_id as ${sql.ref('participantId')}, s.role,
      case when p.room_id = s.room_id then p.carried end as carried
    from ${stays} s join participants p on p.participant_id = s.participant_id
    where s.room_id = ${roomId} order by p.joined_at, p.participant_id`.execute(db)
  return rows.map(({ carried, ...member }) => ({
    ...member,
    ...(carried !== null && { carried: JSON.parse(carried) as NonNullable<Member['carried']> }),
  }))
}

/**
 * While a sleeping room is handled in passing, which takes a moment, the sweep ignores it; afterwards it is due again.
 */
const passMs = 5_000

/** Claimed by an instance that then holds it, or in passing, when it stays asleep. */
type Claim = { kind: 'wake'; podId: string; seed: string } | { kind: 'pass'; seed: string; now: number }

export async function claimRoom(
  { engine, db }: Sql,
  designs: Designs,
  roomId: string,
  claim: Claim,
): Promise<ClaimedRoom | undefined> {
  return await db.transaction().execute(async (tx) => {
    if (engine === 'postgres') await lockBeginners(tx, roomId)
    const row = await tx
      .selectFrom('rooms')
      .selectAll()
      .where('room_id', '=', roomId)
      .$call(forUpdate(engine))
      .executeTakeFirst()
    if (!row || (claim.kind === 'pass' && !isAsleep(row))) return undefined
    const begun = row.ordinal === null ? await begin({ engine, db: tx }, designs, row) : undefined
    const drawn = begun && { ...begun, seed: claim.seed }
    const held =
      claim.kind === 'wake'
        ? { pod_id: claim.podId, resting_since: null, due_at: null }
        : { resting_since: row.resting_since ?? claim.now, due_at: claim.now + passMs }
    const change = { epoch: row.epoch + 1, ...held, ...drawn }
    await tx.updateTable('rooms').set(change).where('room_id', '=', roomId).execute()
    return {
      ...(await recordOf(tx, { ...row, ...change })),
      wasAsleep: isAsleep(row),
      ...(await departures({ engine, db: tx }, roomId)),
    }
  })
}

/** The people of a room that has not begun: before the room, like everybody who locks both (S27). */
const lockBeginners = async (db: Sql['db'], roomId: string): Promise<unknown> =>
  await db
    .selectFrom('participants as p')
    .innerJoin('rooms as r', 'r.room_id', 'p.room_id')
    .select('p.participant_id')
    .where('p.room_id', '=', roomId)
    .where('r.ordinal', 'is', null)
    .orderBy('p.participant_id')
    .forUpdate('p')
    .execute()

/**
 * The place of a room in its experiment, and what it is assigned. Pilots count for themselves, so that people are assigned as
 * if there had been none.
 */
async function begin(tx: Sql, designs: Designs, row: RoomRow) {
  const { experiment_id: experimentId, revision, room_id, pilot_place: place } = row
  if (place !== null) {
    const personas: Agent[] = JSON.parse(row.personas ?? '[]')
    const filled: unknown[] = JSON.parse(row.agents)
    const seats = personas.reduce((sum, persona) => sum + (persona.seats ?? 0), filled.length)
    return asColumns(place, await assignPilotRoom(tx, designs, { experimentId, revision, place, seats }))
  }
  const members = await membersOf(tx.db, room_id)
  const { ordinal, seatOrdinal } = await nextOrdinals(tx.db, experimentId, members.length)
  const room = { experimentId, revision, stage: row.stage, members, ordinal, seatOrdinal }
  return asColumns(ordinal, await assignRoom(tx, designs, room))
}

const asColumns = (ordinal: number, assignment: Assignment | null) => ({
  ordinal,
  ...(assignment && { assignment: JSON.stringify(assignment), condition: assignment.condition }),
})

/** Counts the rooms of an experiment and the people in them as rooms begin. Locks the experiment. */
async function nextOrdinals(db: Sql['db'], experimentId: string, people: number) {
  const row = await db
    .updateTable('experiments')
    .set({ rooms_opened: sql`rooms_opened + 1`, seats_opened: sql`seats_opened + ${people}` })
    .where('experiment_id', '=', experimentId)
    .returning(['rooms_opened', 'seats_opened'])
    .executeTakeFirstOrThrow()
  return { ordinal: row.rooms_opened - 1, seatOrdinal: row.seats_opened - people }
}

/** Only people with consent get a room, so a member without the required consent has withdrawn it. */
export async function departures({ db }: Sql, roomId: string): Promise<Departures> {
  const rows = await db
    .selectFrom('participants as p')
    .leftJoin('sessions as s', (on) =>
      on.onRef('s.participant_id', '=', 'p.participant_id').on('s.status', '=', 'completed'),
    )
    .select(['p.participant_id', 'p.completed_at', 's.session_id', 's.outcome'])
    .where('p.room_id', '=', roomId)
    .where(({ eb, or, and }) =>
      or([
        eb('p.completed_at', 'is not', null),
        and([eb('p.consent_required', '=', 1), eb('p.consented_at', 'is', null)]),
      ]),
    )
    .orderBy('p.participant_id')
    .execute()
  return {
    completed: rows.flatMap((row) =>
      row.completed_at === null || row.session_id === null
        ? []
        : [{ participantId: row.participant_id, outcome: row.outcome ?? 'ABANDONED' }],
    ),
    withdrawn: rows.flatMap((row) => (row.completed_at === null ? [row.participant_id] : [])),
  }
}

/** Of whoever joined more than once, what they brought the first time. */
export async function metadataOf({ db }: Sql, roomId: string): Promise<Map<string, Record<string, unknown>>> {
  const rows = await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['p.participant_id', 'o.metadata'])
    .where('p.room_id', '=', roomId)
    .orderBy('s.created_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.participant_id, JSON.parse(row.metadata)]))
}

/** Under the writer's epoch, like every write of a room: a former owner can neither write it nor put it to rest. */
export async function restRoom({ db }: Sql, { roomId, epoch, dueAt, now }: Rest): Promise<RestOutcome> {
  const row = await db
    .updateTable('rooms')
    .set({ resting_since: sql<number>`coalesce(resting_since, ${now})`, due_at: dueAt })
    .where('room_id', '=', roomId)
    .where('epoch', '=', epoch)
    .returning('closed_at')
    .executeTakeFirst()
  if (!row) return 'fenced'
  return row.closed_at === null ? 'resting' : 'closed'
}

export async function dueRooms({ db }: Sql, now: number, after: DueRoom | null): Promise<DueRoom[]> {
  const rows = await db
    .selectFrom('rooms')
    .select(['room_id', 'due_at'])
    .where('closed_at', 'is', null)
    .where('resting_since', 'is not', null)
    .where('due_at', '<=', now)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(due_at, room_id) > (${after?.dueAt}, ${after?.roomId})`),
    )
    .orderBy('due_at')
    .orderBy('room_id')
    .limit(duePerPage)
    .execute()
  return rows.map((row) => ({ roomId: row.room_id, dueAt: row.due_at ?? now }))
}

export async function countAwake({ db }: Sql): Promise<{ rooms: number; participants: number }> {
  return await awakeRooms(db)
    .leftJoin('participants as p', 'p.room_id', 'rooms.room_id')
    .select(({ fn }) => [
      fn.count<number>('rooms.room_id').distinct().as('rooms'),
      fn.count<number>('p.participant_id').as('participants'),
    ])
    .executeTakeFirstOrThrow()
}

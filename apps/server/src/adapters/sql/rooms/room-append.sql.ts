import { sql } from 'kysely'
import { bytesOfEvent, overQuota, type Usage } from '../../../kernel/quota.ts'
import {
  boundsAfter,
  type ClockBounds,
  estimateOf,
  noEstimate,
  unknownClock,
} from '../../../modules/events/client-clock.plan.ts'
import { bytesOfAction, weightOfAppend } from '../../../modules/rooms/append-size.plan.ts'
import {
  isAgentParticipant,
  type RoomAppend,
  type RoomAppendOutcome,
  type RoomStore,
} from '../../../modules/rooms/rooms.store.ts'
import { createAgentWriter } from '../agents/agent-rows.sql.ts'
import { createEventWriter } from '../events/event-rows.sql.ts'
import { type CountedStreamRow, figuresOf, type StreamFigures } from '../figures/deltas.sql.ts'
import { inserterOf, overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { createDecisionWriter } from './decisions.sql.ts'
import { stays } from './stays.sql.ts'

const actionColumns = {
  room_id: 'text',
  seq: 'integer',
  epoch: 'integer',
  at: 'bigint',
  actor: 'text',
  action_id: 'text',
  action: 'text',
  answer: 'integer',
} as const

/**
 * Stores the actions of many rooms in one durable transaction. A room whose epoch has moved on belongs to another instance:
 * its actions are refused here, whatever the writer believes (fencing). Participants whose end an action brings are
 * locked before streams, and streams before rooms: the same order as when a session ends.
 */
export function createRoomAppender({ engine, db }: Sql): RoomStore['append'] {
  const insertActions = inserterOf(engine, 'room_actions', actionColumns)
  const writeEvents = createEventWriter(engine, 'room')
  const lockStreams = participantStreamsLock(engine)
  const lockRooms = roomsLock(engine)
  const decisions = createDecisionWriter(engine)
  const doneBefore = earlierActions(engine)
  const agents = createAgentWriter(engine)
  const saveAliases = aliasWriter(engine)
  return async (appends) =>
    await db.transaction().execute(async (db) => {
      const undecided = await decisions.lockUndecided(db, appends)
      const streams = await lockStreams(db, appends)
      const rooms = await lockRooms(db, appends)
      const outcomes = outcomesOf(appends, { rooms, streams, done: await doneBefore(db, appends) })
      const stored = appends.filter((_, index) => outcomes[index]?.kind === 'stored')
      await insertActions(db, stored.map(asRow))
      await agents.seat(db, stored)
      for (const row of await agents.streamsOf(db, agentsRecordedBy(stored)))
        streams.set(row.participant_id, row)
      await writeEvents(db, numbered(stored, streams), figuresByStream(streams))
      await saveStatuses(db, stored)
      await decisions.write(db, stored, undecided)
      await decisions.moveOn(db, stored, undecided)
      await saveConditions(db, stored)
      await saveAliases(db, stored)
      await agents.writeCalls(db, stored)
      return outcomes
    })
}

const asRow = (append: RoomAppend) => ({
  room_id: append.roomId,
  seq: append.seq,
  epoch: append.epoch,
  at: append.at,
  actor: append.actor,
  action_id: append.actionId,
  action: append.action,
  answer: append.answer ?? null,
})

interface StreamRow extends CountedStreamRow {
  stream_no: number
  /** Of people. */
  clock_low_ms?: number | null
  clock_high_ms?: number | null
}

interface SessionStreamRow extends StreamRow {
  participant_id: string
  stay: number
  created_at: number
  stored_bytes: number
  experiment_bytes: number | null
}

/** Of a person, with what they and the experiment have stored. */
interface PersonStreamRow extends StreamRow {
  stored?: Usage
  /** R68: the rooms that they have been in after their first, by their position; absent where there is none. */
  stays?: ReadonlyMap<string, number>
}

const recordedBy = (appends: readonly RoomAppend[]): string[] => [
  ...new Set(appends.flatMap(({ records }) => records.map(({ participantId }) => participantId))),
]

const agentsRecordedBy = (appends: readonly RoomAppend[]): string[] =>
  recordedBy(appends).filter(isAgentParticipant)

/**
 * E20: the stream of each participant's newest session, whatever has become of it. A seal keeps out only what a client
 * sends: the room goes on with people whose session was revoked, has expired or is completed.
 */
function participantStreamsLock(engine: Sql['engine']) {
  const inOrder = engine === 'postgres' ? sql`order by t.session_id for update of t` : sql``
  const select = overRows(
    engine,
    'wanted',
    { participant_id: 'text' },
    (wanted) => sql<SessionStreamRow>`
      select s.participant_id, p.stay, s.created_at, t.stream_no, t.last_seq, t.counted_seq, t.experiment_id, t.kind,
        t.clock_low_ms, t.clock_high_ms, t.stored_bytes, x.bytes as experiment_bytes
      from sessions s
      join participants p on p.participant_id = s.participant_id
      join event_streams t on t.session_id = s.session_id
      left join experiment_totals x on x.experiment_id = t.experiment_id
      where s.participant_id in (select participant_id from ${wanted}) ${inOrder}`,
  )
  return async (db: Sql['db'], appends: RoomAppend[]): Promise<Map<string, PersonStreamRow>> => {
    const ids = recordedBy(appends).filter((id) => !isAgentParticipant(id))
    if (ids.length === 0) return new Map()
    const found = await select(
      db,
      ids.map((participant_id) => ({ participant_id })),
    )
    // Chosen here, not in the statement, which locks by session id. The last entry of a key stays in the map.
    const byAge = found.sort(
      (one, other) => one.created_at - other.created_at || one.stream_no - other.stream_no,
    )
    const storedBy = new Map<string, number>()
    for (const { participant_id: id, stored_bytes } of found)
      storedBy.set(id, (storedBy.get(id) ?? 0) + stored_bytes)
    const roomsOf = await laterStays(
      db,
      byAge.flatMap((row) => (row.stay > 0 ? [row.participant_id] : [])),
    )
    return new Map(
      byAge.map((row) => {
        const stored = {
          participantBytes: storedBy.get(row.participant_id) ?? 0,
          experimentBytes: row.experiment_bytes ?? 0,
        }
        const theirs = roomsOf.get(row.participant_id)
        return [row.participant_id, { ...row, stored, ...(theirs && { stays: theirs }) }]
      }),
    )
  }
}

/** A room may still record something with people who have gone on to another. */
async function laterStays(db: Sql['db'], ids: readonly string[]): Promise<Map<string, Map<string, number>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(stays.as('s'))
    .select(['s.participant_id', 's.room_id', 's.stay'])
    .where('s.participant_id', 'in', ids)
    .where('s.stay', '>', 0)
    .execute()
  const byPerson = Map.groupBy(rows, (row) => row.participant_id)
  return new Map([...byPerson].map(([id, some]) => [id, new Map(some.map((row) => [row.room_id, row.stay]))]))
}

function figuresByStream(streams: ReadonlyMap<string, StreamRow>): Map<number, StreamFigures> {
  const found = new Map<number, StreamFigures>()
  for (const row of streams.values()) {
    const figures = figuresOf(row)
    if (figures) found.set(row.stream_no, figures)
  }
  return found
}

interface RoomRow {
  room_id: string
  epoch: number
  last_seq: number | null
}

/** A log has no gaps: what follows an action that was not stored is not stored either. */
function outcomesOf(
  appends: RoomAppend[],
  {
    rooms,
    streams,
    done,
  }: { rooms: Map<string, RoomRow>; streams: Map<string, PersonStreamRow>; done: Answers },
): RoomAppendOutcome[] {
  const added = new Map<string, number>()
  const lastSeqs = new Map<string, number>()
  const answers = new Map(done)
  return appends.map((append) => {
    const { roomId, epoch, seq } = append
    const room = rooms.get(roomId)
    const last = lastSeqs.get(roomId) ?? room?.last_seq ?? 0
    if (room?.epoch !== epoch) return { kind: 'fenced' }
    const key = keyOf(roomId, append.actor, append.actionId)
    const answer = append.mayBeRepeat ? answers.get(key) : undefined
    // After a gap too: a hundred repeats are recognised in one transaction, not one by one.
    if (answer !== undefined) return { kind: 'repeated', answer }
    if (seq !== last + 1) return { kind: 'fenced' }
    const bytes = weightOfAppend(append)
    const over = overQuotaBy(append, bytes, streams.get(append.actor)?.stored, added.get(append.actor) ?? 0)
    if (over) return { kind: 'over_quota', over }
    added.set(append.actor, (added.get(append.actor) ?? 0) + bytes)
    if (append.answer !== undefined) answers.set(key, append.answer)
    lastSeqs.set(roomId, seq)
    return { kind: 'stored' }
  })
}

/** RM182: what an action records about others counts for whoever does it, here; they are charged for their own records. */
function overQuotaBy({ quota }: RoomAppend, bytes: number, stored: Usage | undefined, added: number) {
  if (!quota || !stored) return undefined
  const { participantBytes, experimentBytes } = stored
  const used = { participantBytes: participantBytes + added, experimentBytes: experimentBytes + added }
  return overQuota(used, bytes, quota)
}

/** The answers to actions, by `keyOf`. */
type Answers = Map<string, number | null>

const keyOf = (roomId: string, actor: string, actionId: string | null): string =>
  `${roomId} ${actor} ${actionId}`

interface EarlierRow {
  room_id: string
  actor: string
  action_id: string
  answer: number | null
}

/**
 * R55: the actions that the logs already have. Looked up only for people who have done more than their room remembers.
 */
function earlierActions(engine: Sql['engine']) {
  const select = overRows(
    engine,
    'wanted',
    { room_id: 'text', actor: 'text', action_id: 'text' },
    (wanted) => sql<EarlierRow>`
      select a.room_id, a.actor, a.action_id, a.answer from ${wanted}
      join room_actions a on a.room_id = wanted.room_id and a.action_id = wanted.action_id
      where a.action_id is not null and a.actor = wanted.actor order by a.seq desc`,
  )
  return async (db: Sql['db'], appends: RoomAppend[]): Promise<Answers> => {
    const unsure = appends.filter(({ mayBeRepeat }) => mayBeRepeat)
    if (unsure.length === 0) return new Map()
    const rows = await select(
      db,
      unsure.map(({ roomId, actor, actionId }) => ({ room_id: roomId, actor, action_id: actionId })),
    )
    // Older logs may have an action twice; the first, which comes last here, counts.
    return new Map(rows.map((row) => [keyOf(row.room_id, row.actor, row.action_id), row.answer]))
  }
}

function roomsLock(engine: Sql['engine']) {
  const inOrder = engine === 'postgres' ? sql`order by room_id for update` : sql``
  const select = overRows(
    engine,
    'wanted',
    { room_id: 'text' },
    (wanted) => sql<RoomRow>`
      select room_id, epoch, (select max(seq) from room_actions a where a.room_id = rooms.room_id) as last_seq
      from rooms where room_id in (select room_id from ${wanted}) ${inOrder}`,
  )
  return async (db: Sql['db'], appends: RoomAppend[]): Promise<Map<string, RoomRow>> => {
    const ids = [...new Set(appends.map(({ roomId }) => roomId))].map((room_id) => ({ room_id }))
    return new Map((await select(db, ids)).map((row) => [row.room_id, row]))
  }
}

/** Assigns the records their positions in the participants' streams, and says how much these grow. */
function numbered(appends: RoomAppend[], streams: Map<string, PersonStreamRow>) {
  const lastSeqs = new Map<number, number>()
  const bytes = new Map<number, number>()
  const clocks = new Map<number, ClockBounds>()
  const charge = (streamNo: number, added: number) => bytes.set(streamNo, (bytes.get(streamNo) ?? 0) + added)
  const rows = appends.flatMap((append) => {
    const actor = streams.get(append.actor)
    if (actor) charge(actor.stream_no, bytesOfAction(append))
    return append.records.flatMap(({ participantId, event, moment }) => {
      const stream = streams.get(participantId)
      if (!stream) return []
      const { stream_no: streamNo, last_seq } = stream
      const seq = (lastSeqs.get(streamNo) ?? last_seq) + 1
      lastSeqs.set(streamNo, seq)
      charge(streamNo, bytesOfEvent(event))
      const known = clocks.get(streamNo) ?? clockOf(stream)
      const seen = moment && { ...moment, receivedAt: append.at }
      const clock = seen ? boundsAfter(known, seen) : known
      clocks.set(streamNo, clock)
      const estimate = seen ? estimateOf(clock, seen) : noEstimate
      const stay = stream.stays?.get(append.roomId) ?? null
      return [{ ...event, ...estimate, streamNo, seq, receivedAt: append.at, roomSeq: append.seq, stay }]
    })
  })
  return { rows, lastSeqs, bytes, clocks }
}

const clockOf = ({ clock_low_ms: lowMs = null, clock_high_ms: highMs = null }: StreamRow): ClockBounds =>
  highMs === null ? unknownClock : { lowMs, highMs }

async function saveStatuses(db: Sql['db'], appends: RoomAppend[]): Promise<void> {
  for (const { roomId, at, status } of appends)
    if (status !== null)
      await db.updateTable('rooms').set(statusColumns(status, at)).where('room_id', '=', roomId).execute()
}

/** Only where the experiment has conditions, and only when a room is opened. */
async function saveConditions(db: Sql['db'], appends: RoomAppend[]): Promise<void> {
  for (const { roomId, condition } of appends)
    if (condition !== null)
      await db
        .updateTable('rooms')
        .set({ condition })
        .where('room_id', '=', roomId)
        .where('condition', 'is', null)
        .execute()
}

/** Only where they are drawn, and only when a room is opened. */
function aliasWriter(engine: Sql['engine']) {
  const update = overRows(
    engine,
    'given',
    { participant_id: 'text', alias: 'text' },
    (given) => sql`
      update participants set alias = given.alias
      from ${given} where participants.participant_id = given.participant_id`,
  )
  return async (db: Sql['db'], appends: readonly RoomAppend[]): Promise<void> => {
    const rows = appends.flatMap(({ aliases = [] }) =>
      aliases.map(({ participantId, alias }) => ({ participant_id: participantId, alias })),
    )
    if (rows.length > 0) await update(db, rows)
  }
}

function statusColumns(status: NonNullable<RoomAppend['status']>, at: number) {
  switch (status.kind) {
    case 'running':
      return { paused_at: null }
    case 'paused':
      return { paused_at: status.since }
    case 'ended':
      // The last participant to complete may have closed it already.
      return { end_reason: status.reason, closed_at: sql<number>`coalesce(closed_at, ${at})` }
  }
}

import type { EventFlag, ExportedEvent } from '@atrium/contract'
import { sql } from 'kysely'
import type { ExportPage, ExportPosition } from '../../modules/events/events.store.ts'
import type { Sql, Tables } from './tables.ts'

const sessionsPerPage = 200
const eventsPerPage = 1_000
/** The largest `seq` there can be: PostgreSQL refuses to compare its integers with anything larger. */
const pastTheLast = 2 ** 31 - 1

/**
 * Walks the sessions of an experiment in the order participants joined, and each session's events by their
 * key. Every step reads from an index, so a page costs the same at the end of a large export as at its start.
 */
export async function exportPage(
  { db }: Sql,
  experimentId: string,
  after: ExportPosition | null,
): Promise<ExportPage> {
  const sessions = await sessionsFrom(db, experimentId, after)
  const events: ExportedEvent[] = []
  let next: ExportPosition | null = null
  for (const session of sessions) {
    const seen = after?.sessionId === session.sessionId ? after.seq : 0
    const rows = await db
      .selectFrom('events')
      .selectAll()
      .where('stream_no', '=', session.streamNo)
      .where('seq', '>', seen)
      .orderBy('seq')
      .limit(eventsPerPage)
      .execute()
    events.push(...rows.map((row) => asExported(row, session)))
    const isWhole = rows.length < eventsPerPage
    const { joinedAt, participantId, startedAt, sessionId } = session
    const seq = isWhole ? pastTheLast : (rows.at(-1)?.seq ?? pastTheLast)
    next = { joinedAt, participantId, startedAt, sessionId, seq }
    if (events.length >= eventsPerPage) return { events, next }
  }
  return { events, next: sessions.length === sessionsPerPage ? next : null }
}

type SessionPosition = Omit<ExportPosition, 'seq'> & { revision: number; streamNo: number }

async function sessionsFrom(
  db: Sql['db'],
  experimentId: string,
  after: ExportPosition | null,
): Promise<SessionPosition[]> {
  const from = after ?? { joinedAt: 0, participantId: '', startedAt: 0, sessionId: '' }
  return await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('event_streams as t', 't.session_id', 's.session_id')
    .select([
      'p.joined_at as joinedAt',
      'p.participant_id as participantId',
      's.created_at as startedAt',
      's.session_id as sessionId',
      'p.revision as revision',
      't.stream_no as streamNo',
    ])
    .where('p.experiment_id', '=', experimentId)
    .where(
      sql<boolean>`(p.joined_at, p.participant_id, s.created_at, s.session_id)
        >= (${from.joinedAt}, ${from.participantId}, ${from.startedAt}, ${from.sessionId})`,
    )
    .orderBy('p.joined_at')
    .orderBy('p.participant_id')
    .orderBy('s.created_at')
    .orderBy('s.session_id')
    .limit(sessionsPerPage)
    .execute()
}

function asExported(row: Tables['events'], session: SessionPosition): ExportedEvent {
  return {
    participantId: session.participantId,
    sessionId: session.sessionId,
    seq: row.seq,
    type: row.type,
    timestamp: row.timestamp,
    receivedAt: new Date(row.received_at).toISOString(),
    stateId: row.state_id,
    componentId: row.component_id,
    data: JSON.parse(row.data),
    eventId: row.event_id,
    revision: session.revision,
    flags: row.flags === '' ? [] : (row.flags.split(' ') as EventFlag[]),
    ...(row.extra === null ? {} : { extra: JSON.parse(row.extra) }),
  }
}

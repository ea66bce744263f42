import { sql } from 'kysely'
import { hideSessionIds, pseudonymOf } from '../../../kernel/ids.ts'
import { isSealed } from '../../../kernel/sealed.ts'
import type { ExportPage } from '../../../modules/events/events.store.ts'
import type { PersonPosition, PersonRef } from '../../../modules/privacy/privacy.store.ts'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import { clientTimeOf } from '../events/export.sql.ts'
import { conditionOfPerson, stays } from '../rooms/stays.sql.ts'
import type { Sql } from '../tables.ts'

type Page = ExportPage<PersonPosition>

/** An event or an action may be 100 KB, a request of an agent more. */
const rowsPerPage = { events: 100, roomActions: 100, agentTurns: 10 } as const

/** One JSON document, in pieces: the first has who they are, the others continue its lists. */
export async function personPage(store: Sql, person: PersonRef, after: PersonPosition | null): Promise<Page> {
  const page =
    after === null
      ? await head(store, person)
      : after.part === 'events'
        ? await events(store, person, after)
        : after.part === 'roomActions'
          ? await roomActions(store, person, after)
          : await agentTurns(store, person, after)
  return { ...page, lines: hideSessionIds(String(page.lines)) }
}

async function head({ db }: Sql, { participantId }: PersonRef): Promise<Page> {
  const found = await db
    .selectFrom('participants as p')
    .leftJoin('rooms as r', 'r.room_id', 'p.room_id')
    .leftJoin('assignments as a', 'a.participant_id', 'p.participant_id')
    .select(conditionOfPerson.as('condition'))
    .select(['p.participant_id as participantId', 'p.experiment_id as experimentId', 'p.revision', 'p.role'])
    .select(['p.room_id as roomId', 'p.alias', 'p.joined_at as joinedAt', 'p.outcome'])
    .select(['p.completed_at as completedAt', 'p.consented_at as consentedAt', 'p.carried'])
    .where('p.participant_id', '=', participantId)
    .executeTakeFirst()
  const { carried = null, ...participant } = found ?? {}
  const identity = await db
    .selectFrom('participant_identities')
    .select(['issuer', 'subject', 'attempt'])
    .where('participant_id', '=', participantId)
    .where('issuer', 'not in', [heldIssuer, declinedIssuer])
    .executeTakeFirst()
  const assignment = await db
    .selectFrom('assignments')
    .select(['ordinal', 'seat', 'rows'])
    .where('participant_id', '=', participantId)
    .executeTakeFirst()
  const matches = await db
    .selectFrom('matches')
    .select(['room_id as roomId', 'search', 'waiting', 'considered', 'passed_over as passedOver'])
    .select(['waited_ms as waitedMs', 'part'])
    .where('participant_id', '=', participantId)
    .orderBy('room_id')
    .execute()
  const formerRooms = await db
    .selectFrom('former_stays as f')
    .innerJoin('rooms as r', 'r.room_id', 'f.room_id')
    .leftJoin('stay_assignments as a', (on) =>
      on.onRef('a.participant_id', '=', 'f.participant_id').onRef('a.stay', '=', 'f.stay'),
    )
    .select(({ fn }) => fn.coalesce('a.condition', 'r.condition').as('condition'))
    .select(['f.room_id as roomId', 'r.stage', 'f.role', 'f.alias', 'f.finished_at as finishedAt'])
    .where('f.participant_id', '=', participantId)
    .orderBy('f.stay')
    .execute()
  const sessions = await db
    .selectFrom('sessions as s')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['s.session_id as sessionId', 's.status', 's.created_at as startedAt'])
    .select(['s.last_activity_at as lastActivityAt', 's.ended_at as endedAt', 's.outcome'])
    .select(['s.completion_code as completionCode', 's.redirect_url as redirectUrl'])
    .select(['o.ip_address as ipAddress', 'o.user_agent as userAgent', 'o.metadata'])
    .where('s.participant_id', '=', participantId)
    .orderBy('s.created_at')
    .execute()
  const known = {
    participant: found ? participant : null,
    // R68: those of the stages that they have finished, and what they took along.
    ...(formerRooms.length > 0 && { formerRooms, carried: JSON.parse(carried ?? '{}') }),
    assignment: assignment ? { ...assignment, rows: JSON.parse(assignment.rows) } : null,
    matches,
    identity: identity ?? null,
    sessions: sessions.map(({ metadata, redirectUrl, ...session }) => ({
      ...session,
      sessionId: pseudonymOf(session.sessionId),
      // R94: before consent, it is known to nobody; afterwards it is stored as it came.
      metadata: identity ? JSON.parse(metadata) : {},
      redirectUrl: isSealed(redirectUrl) ? null : redirectUrl,
    })),
  }
  return {
    lines: `${JSON.stringify(known).slice(0, -1)},"events":[`,
    events: 0,
    next: { part: 'events', streamNo: 0, seq: 0, isFirst: true },
  }
}

async function events(
  { db }: Sql,
  { participantId }: PersonRef,
  after: Extract<PersonPosition, { part: 'events' }>,
): Promise<Page> {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('event_streams as t', 't.session_id', 's.session_id')
    .innerJoin('events as e', 'e.stream_no', 't.stream_no')
    .selectAll('e')
    .select('s.session_id')
    .where('s.participant_id', '=', participantId)
    .where(sql<boolean>`(e.stream_no, e.seq) > (${after.streamNo}, ${after.seq})`)
    .orderBy('e.stream_no')
    .orderBy('e.seq')
    .limit(rowsPerPage.events)
    .execute()
  const last = rows.at(-1)
  const items = rows.map((row) => {
    const { type, seq, round, visit } = row
    const clientTime = clientTimeOf(row)
    const fields = {
      sessionId: pseudonymOf(row.session_id),
      ...{ seq, type, timestamp: clientTime, receivedAt: row.received_at },
      ...{ serverTime: row.received_at, clientTime },
      ...{ clockOffsetMs: row.clock_offset_ms, clockErrorMs: row.clock_error_ms },
      ...{ stateId: row.state_id, componentId: row.component_id, eventId: row.event_id, round, visit },
      origin: row.room_seq === null ? 'client' : 'room',
      flags: row.flags === '' ? [] : row.flags.split(' '),
    }
    const extra = row.extra === null ? '' : `,"extra":${row.extra}`
    return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data}${extra}}`
  })
  return listed(
    items,
    after.isFirst,
    rows.length < rowsPerPage.events || !last
      ? { closing: '],"roomActions":[', next: { part: 'roomActions', stay: 0, seq: 0, isFirst: true } }
      : { next: { part: 'events', streamNo: last.stream_no, seq: last.seq, isFirst: false } },
  )
}

async function roomActions(
  { db }: Sql,
  { participantId }: PersonRef,
  after: Extract<PersonPosition, { part: 'roomActions' }>,
): Promise<Page> {
  const rows = await db
    .selectFrom(stays.as('p'))
    .innerJoin('room_actions as a', (on) =>
      on.onRef('a.room_id', '=', 'p.room_id').onRef('a.actor', '=', 'p.participant_id'),
    )
    .select(['p.stay', 'p.room_id as roomId', 'a.seq', 'a.at', 'a.action'])
    .where('p.participant_id', '=', participantId)
    .where(sql<boolean>`(p.stay, a.seq) > (${after.stay}, ${after.seq})`)
    .orderBy('p.stay')
    .orderBy('a.seq')
    .limit(rowsPerPage.roomActions)
    .execute()
  const last = rows.at(-1)
  const items = rows.map(
    ({ roomId, seq, at, action }) =>
      `{"roomId":${JSON.stringify(roomId)},"seq":${seq},"at":${at},"action":${action}}`,
  )
  return listed(
    items,
    after.isFirst,
    rows.length < rowsPerPage.roomActions || !last
      ? { closing: '],"agentTurns":[', next: { part: 'agentTurns', askedAt: 0, callId: '', isFirst: true } }
      : { next: { part: 'roomActions', stay: last.stay, seq: last.seq, isFirst: false } },
  )
}

async function agentTurns(
  { db }: Sql,
  { participantId }: PersonRef,
  after: Extract<PersonPosition, { part: 'agentTurns' }>,
): Promise<Page> {
  const rows = await db
    .selectFrom(stays.as('p'))
    .innerJoin('agent_calls as c', 'c.room_id', 'p.room_id')
    .select(['c.call_id', 'c.agent_id', 'c.outcome', 'c.asked_at', 'c.request', 'c.reply'])
    .where('p.participant_id', '=', participantId)
    .where(sql<boolean>`(c.asked_at, c.call_id) > (${after.askedAt}, ${after.callId})`)
    .orderBy('c.asked_at')
    .orderBy('c.call_id')
    .limit(rowsPerPage.agentTurns)
    .execute()
  const last = rows.at(-1)
  const items = rows.map((row) => {
    const fields = { agentId: row.agent_id, askedAt: row.asked_at, outcome: row.outcome }
    return `${JSON.stringify(fields).slice(0, -1)},"request":${row.request ?? 'null'},"reply":${row.reply ?? 'null'}}`
  })
  return listed(
    items,
    after.isFirst,
    rows.length < rowsPerPage.agentTurns || !last
      ? { closing: ']}\n', next: null }
      : { next: { part: 'agentTurns', askedAt: last.asked_at, callId: last.call_id, isFirst: false } },
  )
}

function listed(
  items: readonly string[],
  isFirst: boolean,
  { closing = '', next }: { closing?: string; next: PersonPosition | null },
): Page {
  const separator = isFirst || items.length === 0 ? '' : ','
  return { lines: separator + items.join(',') + closing, events: items.length, next }
}

import type { EventFlag } from '@atrium/contract'
import { sql } from 'kysely'
import { hideSessionIds, pseudonymOf } from '../../../kernel/ids.ts'
import type {
  ExportedSession,
  ExportStore,
  SessionPart,
  StoredEvent,
} from '../../../modules/exports/exports.store.ts'
import { clientTimeOf, givenRole, readLines } from '../events/export.sql.ts'
import type { ExportedStream } from '../events/exported-streams.sql.ts'
import { createPageWalk } from '../events/stream-pages.sql.ts'
import type { StreamPlan } from '../events/stream-plans.ts'
import { stays } from '../rooms/stays.sql.ts'
import type { Sql, Tables } from '../tables.ts'
import { listAssignments } from './assignments.sql.ts'
import { listPeople } from './people.sql.ts'
import { roomChanges } from './room-changes.sql.ts'
import { listSentAnswers } from './sent-answers.sql.ts'

export const createExportStore = (store: Sql): ExportStore => ({
  ...pageReader(store),
  async revisions(experimentId) {
    const { rows } = await sql<{ revision: number }>`
      select revision from participants where experiment_id = ${experimentId}
      union
      select r.revision from agent_participants a join rooms r on r.room_id = a.room_id
      where a.experiment_id = ${experimentId}
      order by revision`.execute(store.db)
    return rows.map(({ revision }) => revision)
  },
  async members(roomIds) {
    if (roomIds.length === 0) return []
    const { rows } = await sql<{ roomId: string; participantId: string }>`
      select room_id as ${sql.ref('roomId')}, participant_id as ${sql.ref('participantId')}
      from ${stays} s where room_id in (${sql.join(roomIds)})
      union all
      select room_id, participant_id from agent_participants
      where room_id in (${sql.join(roomIds)}) and role is not null
      order by 1, 2`.execute(store.db)
    const byRoom = Map.groupBy(rows, ({ roomId }) => roomId)
    return [...byRoom].map(([roomId, of]) => [roomId, of.map(({ participantId }) => participantId)])
  },
  assignments: (participantIds) => listAssignments(store, participantIds),
  sentAnswers: (participantIds) => listSentAnswers(store, participantIds),
  roomChanges: (roomId, after) => roomChanges(store, roomId, after),
  async sessionOf(participantId, pseudonym) {
    const { rows } = await sql<{ sessionId: string }>`
      select session_id as ${sql.ref('sessionId')} from sessions where participant_id = ${participantId}
      union all
      select session_id from agent_participants where participant_id = ${participantId}`.execute(store.db)
    return rows.find(({ sessionId }) => pseudonymOf(sessionId) === pseudonym)?.sessionId
  },
  people: (selection, after, limit) => listPeople(store, selection, after, limit),
})

function pageReader(store: Sql): Pick<ExportStore, 'plan' | 'lines' | 'parts'> {
  const { plan, read } = createPageWalk(store)
  return {
    async plan(selection, types, after, maxPages) {
      const pages = await plan({ ...selection, types: types ?? undefined }, after, maxPages)
      return pages.map((reading) => ({ reading, next: reading.next }))
    },
    lines: ({ reading }) => readLines(read, reading as StreamPlan),
    async parts({ reading }) {
      const parts: SessionPart[] = []
      await read(reading as StreamPlan, ({ stream, rows, isFirst }) => {
        parts.push({ session: sessionOf(stream), isFirst, events: rows.map(eventOf) })
      })
      return parts
    },
  }
}

function sessionOf(stream: ExportedStream): ExportedSession {
  const {
    participantId,
    sessionId,
    revision,
    roomId,
    stage,
    condition,
    alias,
    agent,
    isSynthetic,
    joinedAt,
  } = stream
  const { outcome, completionCode, consentedAt, completedAt, lastSeq, language, softwareVersion } = stream
  const { status, lastActivityAt, droppedAt, droppedState, dropReason } = stream
  const who = { participantId, sessionId: pseudonymOf(sessionId), agent, isSynthetic }
  const where = { revision, roomId, stage, condition, role: givenRole(stream), alias }
  const times = { joinedAt, consentedAt, completedAt }
  return {
    ...{ ...who, ...where, ...times, outcome, completionCode, eventCount: lastSeq },
    ...{ language, softwareVersion, status, lastActivityAt, droppedAt, droppedState, dropReason },
  }
}

/** R59: a page may have written a session's id into any text. */
const hidden = (text: string | null): string | null => (text === null ? null : hideSessionIds(text))

const eventOf = (row: Tables['events']): StoredEvent => ({
  seq: row.seq,
  type: row.type,
  serverTime: row.received_at,
  clientTime: clientTimeOf(row),
  clockOffsetMs: row.clock_offset_ms,
  clockErrorMs: row.clock_error_ms,
  stateId: hidden(row.state_id),
  componentId: hidden(row.component_id),
  eventId: hidden(row.event_id),
  round: row.round,
  visit: row.visit,
  roomSeq: row.room_seq,
  flags: row.flags === '' ? [] : (row.flags.split(' ') as EventFlag[]),
  data: hideSessionIds(row.data),
  extra: hidden(row.extra),
})

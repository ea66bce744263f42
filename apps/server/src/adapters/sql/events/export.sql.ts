import type { EventFlag, ExportedEvent } from '@atrium/contract'
import { hideSessionIds, pseudonymOf } from '../../../kernel/ids.ts'
import {
  type ExportFilters,
  type ExportPage,
  type ExportPosition,
  type ExportSource,
  everybody,
} from '../../../modules/events/events.store.ts'
import type { Sql, Tables } from '../tables.ts'
import type { ExportedStream } from './exported-streams.sql.ts'
import { walkPage } from './stream-pages.sql.ts'

/** The role of everyone who has not been given one. */
const unassignedRole = 'participant'

export async function exportPage(
  store: Sql,
  experimentId: string,
  after: ExportPosition | null,
  source: ExportSource = 'people',
  filters: ExportFilters = everybody,
): Promise<ExportPage> {
  let [lines, events] = ['', 0]
  const next = await walkPage(store, { experimentId, source, filters }, after, ({ stream, rows }) => {
    const added = linesOf(rows, stream)
    lines += added
    events += rows.length
    return added.length
  })
  return { lines, events, next }
}

/** People who wait for a room get their role with it. */
export const givenRole = ({ roomId, role }: Pick<ExportedStream, 'roomId' | 'role'>): string | null =>
  roomId === null && role === unassignedRole ? null : role

function linesOf(rows: readonly Tables['events'][], stream: ExportedStream): string {
  const { participantId, sessionId, revision, roomId, condition, alias, agent } = stream
  const who = { participantId, sessionId: pseudonymOf(sessionId) }
  const where = { revision, roomId, condition, role: givenRole(stream), alias, agent }
  const mark = stream.isSynthetic ? ',"synthetic":true' : ''
  return hideSessionIds(rows.map((row) => lineOf(row, who, where, mark)).join(''))
}

/** `data` and `extra` are already JSON and go into the line as stored. */
function lineOf(
  row: Tables['events'],
  who: Pick<ExportedEvent, 'participantId' | 'sessionId'>,
  where: Pick<ExportedEvent, 'revision' | 'roomId' | 'condition' | 'role' | 'alias' | 'agent'>,
  mark: string,
): string {
  const fields: Omit<ExportedEvent, 'data' | 'extra' | 'synthetic'> = {
    ...who,
    seq: row.seq,
    type: row.type,
    timestamp: row.timestamp,
    receivedAt: new Date(row.received_at).toISOString(),
    stateId: row.state_id,
    componentId: row.component_id,
    eventId: row.event_id,
    ...where,
    round: row.round,
    visit: row.visit,
    origin: row.room_seq === null ? 'client' : 'room',
    roomSeq: row.room_seq,
    flags: row.flags === '' ? [] : (row.flags.split(' ') as EventFlag[]),
  }
  const extra = row.extra === null ? '' : `,"extra":${row.extra}`
  return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data}${extra}${mark}}\n`
}

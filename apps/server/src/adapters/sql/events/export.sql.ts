import type { ExportedEvent } from '@atrium/contract'
import { hideSessionIds, pseudonymOf } from '../../../kernel/ids.ts'
import { createIsoTime } from '../../../kernel/iso-time.ts'
import type { Tables } from '../tables.ts'
import type { ExportedStream } from './exported-streams.sql.ts'
import type { createPageWalk } from './stream-pages.sql.ts'
import type { StreamPlan } from './stream-plans.ts'

/** The role of everyone who has not been given one. */
const unassignedRole = 'participant'

/** The lines of a page, and how many they are. */
export async function readLines(
  read: ReturnType<typeof createPageWalk>['read'],
  plan: StreamPlan,
): Promise<{ lines: string; events: number }> {
  let [lines, events] = ['', 0]
  await read(plan, ({ stream, rows }) => {
    lines += linesOf(rows, stream)
    events += rows.length
  })
  return { lines, events }
}

/** People who wait for a room get their role with it. */
export const givenRole = ({ roomId, role }: Pick<ExportedStream, 'roomId' | 'role'>): string | null =>
  roomId === null && role === unassignedRole ? null : role

function linesOf(rows: readonly Tables['events'][], stream: ExportedStream): string {
  const { participantId, sessionId, revision, roomId, stage, condition, alias, agent } = stream
  const who = membersOf({ participantId, sessionId: pseudonymOf(sessionId) })
  const where = membersOf({ revision, roomId, stage, condition, role: givenRole(stream), alias, agent })
  const mark = stream.isSynthetic ? ',"synthetic":true' : ''
  const isoOf = createIsoTime()
  let lines = ''
  for (const row of rows) lines += lineOf(row, who, where, mark, isoOf)
  return hideSessionIds(lines)
}

type Who = Pick<ExportedEvent, 'participantId' | 'sessionId'>
type Where = Pick<ExportedEvent, 'revision' | 'roomId' | 'stage' | 'condition' | 'role' | 'alias' | 'agent'>

/** Those of an object, without its braces. */
const membersOf = (object: Who | Where): string => JSON.stringify(object).slice(1, -1)

/**
 * By hand: an object for each line, for `JSON.stringify` to take apart again, cost more than all the rest. `data` and
 * `extra` are already JSON and go into the line as stored.
 */
function lineOf(
  row: Tables['events'],
  who: string,
  where: string,
  mark: string,
  isoOf: (ms: number) => string,
): string {
  const flags = row.flags === '' ? '[]' : JSON.stringify(row.flags.split(' '))
  const clientTime = clientTimeOf(row)
  const server = isoOf(row.received_at)
  const client = clientTime === null ? 'null' : `"${isoOf(clientTime)}"`
  const times = `"timestamp":${clientTime},"receivedAt":"${server}","serverTime":"${server}","clientTime":${client},"clockOffsetMs":${row.clock_offset_ms},"clockErrorMs":${row.clock_error_ms}`
  const extra = row.extra === null ? '' : `,"extra":${row.extra}`
  return `{${who},"seq":${row.seq},"type":${jsonText(row.type)},${times},"stateId":${jsonText(row.state_id)},"componentId":${jsonText(row.component_id)},"eventId":${jsonText(row.event_id)},${where},"round":${row.round},"visit":${row.visit},"origin":"${row.room_seq === null ? 'client' : 'room'}","roomSeq":${row.room_seq},"flags":${flags},"data":${row.data}${extra}${mark}}\n`
}

const jsonText = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text))

/**
 * R88: when it happened by the participant's clock; null where the server acted. A row of a room has their time in `timestamp` if
 * it has an estimate of their clock; rows older than 0031 have none, and are told by the two times being different.
 */
export const clientTimeOf = (
  row: Pick<Tables['events'], 'timestamp' | 'received_at' | 'room_seq' | 'clock_offset_ms'>,
): number | null =>
  row.room_seq === null || row.clock_offset_ms !== null || row.timestamp !== row.received_at
    ? row.timestamp
    : null

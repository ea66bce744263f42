import { sql } from 'kysely'
import type { Tables } from '../tables.ts'

type Column = keyof Tables['events']

/** Those that are sent as JSON. */
const jsonColumns = [
  'stream_no',
  'seq',
  'event_id',
  'type',
  'state_id',
  'component_id',
  'timestamp',
  'received_at',
  'flags',
  'extra',
  'room_seq',
  'round',
  'visit',
  'clock_offset_ms',
  'clock_error_ms',
  'stay',
] as const satisfies Exclude<Column, 'data'>[]

/** Null without rows. */
export type EventColumns = Record<Column, string | null>

/**
 * All events of `e` in one row: each column is one text. The driver takes PostgreSQL's answer apart cell by cell, in the
 * thread that serves requests, which was a quarter of the work of an export; an array for each event took PostgreSQL more
 * than twice as long. `data` is JSON on a single line already, so it need not be escaped and parsed.
 */
export const eventColumns = sql.join([
  sql`string_agg(e.data, chr(10)) as data`,
  ...jsonColumns.map((name) => sql`json_agg(${sql.ref(`e.${name}`)})::text as ${sql.ref(name)}`),
])

export function eventsInColumns(columns: EventColumns): Tables['events'][] {
  if (columns.data === null) return []
  const data = columns.data.split('\n')
  const [
    streams,
    seqs,
    ids,
    types,
    states,
    components,
    times,
    received,
    flags,
    extras,
    roomSeqs,
    rounds,
    visits,
    clockOffsets,
    clockErrors,
    stays,
  ] = jsonColumns.map((name) => JSON.parse(columns[name] ?? '[]'))
  // Somebody wrote to the table by other means than ours. A broken export is better than answers beside the wrong events.
  if (data.length !== streams.length) throw new Error('the data of an event is not on one line')
  return data.map((text, index) => ({
    stream_no: streams[index],
    seq: seqs[index],
    event_id: ids[index],
    type: types[index],
    state_id: states[index],
    component_id: components[index],
    timestamp: times[index],
    received_at: received[index],
    data: text,
    flags: flags[index],
    extra: extras[index],
    room_seq: roomSeqs[index],
    round: rounds[index],
    visit: visits[index],
    clock_offset_ms: clockOffsets[index],
    clock_error_ms: clockErrors[index],
    stay: stays[index],
  }))
}

import { expect, test } from 'vitest'
import { type EventColumns, eventsInColumns } from './event-columns.sql.ts'

/** Two events, as PostgreSQL sends them. */
const columns: EventColumns = {
  stay: '[null, null]',
  stream_no: '[1, 1]',
  seq: '[1, 2]',
  event_id: '[null, "e2"]',
  type: '["a", "b"]',
  state_id: '[null, "s1"]',
  component_id: '[null, null]',
  timestamp: '[10, 20]',
  received_at: '[11, 21]',
  data: '{"text":"two\\nlines"}\n{}',
  flags: '["", ""]',
  extra: '[null, null]',
  room_seq: '[null, 7]',
  round: '[null, 1]',
  visit: '[1, 1]',
  clock_offset_ms: '[null, 3]',
  clock_error_ms: '[null, 1]',
}

test('[R47] columns become events again, each with its own data', () => {
  expect(
    eventsInColumns(columns).map(({ seq, event_id, data, room_seq }) => [seq, event_id, data, room_seq]),
  ).toEqual([
    [1, null, '{"text":"two\\nlines"}', null],
    [2, 'e2', '{}', 7],
  ])
})

test('[I7] data on several lines, which only other programs write, never moves to another event', () => {
  expect(() => eventsInColumns({ ...columns, data: '{\n}\n{}' })).toThrow('not on one line')
})

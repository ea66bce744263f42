import type { World } from '@atrium/testkit'
import { expect } from 'vitest'
import { pseudonymOf } from '../../../src/kernel/ids.ts'
import { readRows } from '../../rooms/rows.ts'
import type { Cells } from './cells.ts'
import type { Tables } from './typed-rows.ts'

/** I7: compares the events with what the database holds, cell by cell, and the number of rows of what is made of them. */
export async function expectDatabase(world: World, experimentId: string, tables: Tables): Promise<void> {
  const stored = await storedEvents(world, experimentId)
  expect(stored.length).toBeGreaterThan(0)
  expect(byPlace(tables.events)).toEqual(byPlace(stored))
  const ofRooms = stored.filter(({ room_seq }) => room_seq !== null)
  const count = (rows: readonly Cells[], type: string) => rows.filter((row) => row.type === type).length
  const missing = ofRooms
    .filter(({ type }) => type === 'answers_missing')
    .flatMap(({ data }) => Object(data).components)
  expect(tables.responses.filter((row) => row.missing !== null)).toHaveLength(missing.length)
  expect(tables.responses).toHaveLength(count(stored, 'component_response') + missing.length)
  expect(tables.messages).toHaveLength(count(ofRooms, 'chat_message'))
  expect(tables.playback).toHaveLength(count(ofRooms, 'sync_report'))
  expect(tables.devices).toHaveLength(count(stored, 'device_report'))
  expect(tables.devices.length).toBeGreaterThan(0)
  const measured = stored.map(({ data }) => Object(data).paradata).filter((one) => one !== undefined)
  const withDelay = tables.responses.filter(({ network_delay_ms }) => network_delay_ms !== null)
  expect(withDelay).toHaveLength(measured.length)
  expect(tables.states).toHaveLength(count(stored, 'state_transition'))
  const counts = tables.participants.map(({ event_count }) => Number(event_count))
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(stored.length)
  const calls = await readRows(
    world,
    `select call_id, agent_id, outcome, attempt, asked_at, reply from agent_calls where experiment_id = '${experimentId}'`,
  )
  const turnOf = (row: Cells) => [row.agent_id, row.outcome, Number(row.attempt), Number(row.asked_at)]
  const replies = calls.map(({ reply }) => (reply === null ? null : JSON.parse(String(reply))))
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  expect(sorted(tables.agent_turns.map(turnOf))).toEqual(sorted(calls.map(turnOf)))
  expect(sorted(tables.agent_turns.map(({ reply }) => reply))).toEqual(sorted(replies))
}

/** The events of an experiment as the database has them, in the columns of the table `events`. */
export async function storedEvents(world: World, experimentId: string): Promise<Cells[]> {
  const rows = await readRows(
    world,
    `select e.*, t.session_id, coalesce(s.participant_id, a.participant_id) as participant_id
     from events e join event_streams t on t.stream_no = e.stream_no
     left join sessions s on s.session_id = t.session_id
     left join agent_participants a on a.session_id = t.session_id
     where t.experiment_id = '${experimentId}'`,
  )
  return rows.map(eventCells)
}

/** What is in the events table of the database, and must be in the export unchanged. */
const columns = [
  ...[
    'participant_id',
    'session_id',
    'seq',
    'type',
    'event_id',
    'state_id',
    'component_id',
    'round',
    'visit',
  ],
  ...['timestamp', 'received_at', 'server_time', 'client_time', 'clock_offset_ms', 'clock_error_ms'],
  ...['room_seq', 'data', 'flags', 'extra'],
]

/** PostgreSQL's driver gives large numbers as texts. */
const numberOf = (value: unknown) => (value === null ? null : Number(value))

/** R88: a room has the participant's time where it has an estimate of their clock. */
function timesIn(row: Record<string, unknown>): Cells {
  const at = Number(row.received_at)
  const isClients = row.room_seq === null || row.clock_offset_ms !== null
  const clientTime = isClients ? Number(row.timestamp) : null
  return {
    ...{ timestamp: clientTime, received_at: at, server_time: at, client_time: clientTime },
    clock_offset_ms: numberOf(row.clock_offset_ms),
    clock_error_ms: numberOf(row.clock_error_ms),
  }
}

const eventCells = (row: Record<string, unknown>): Cells => ({
  participant_id: row.participant_id,
  session_id: pseudonymOf(String(row.session_id)),
  seq: Number(row.seq),
  type: row.type,
  event_id: row.event_id,
  state_id: row.state_id,
  component_id: row.component_id,
  round: numberOf(row.round),
  visit: numberOf(row.visit),
  ...timesIn(row),
  room_seq: numberOf(row.room_seq),
  data: JSON.parse(String(row.data)),
  flags: String(row.flags).split(' ').filter(Boolean),
  extra: row.extra === null ? null : JSON.parse(String(row.extra)),
})

const placeOf = ({ session_id, seq }: Cells): string => `${session_id} ${String(seq).padStart(9, '0')}`

/** In the same order whatever the order of the rows, with nothing but the stored columns. */
export const byPlace = (rows: readonly Cells[]): Cells[] =>
  rows
    .map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))

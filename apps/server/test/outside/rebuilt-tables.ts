import { expect } from 'vitest'
import type { Archive, Cells } from './archive-files.ts'

interface Payment {
  currency: string
  base: number
  bonus: string
}
interface Definition {
  states: { id: string }[]
  blocks: { id: string; states: string[] }[]
  conditions: { values: string[] }
  completion: { payment: Payment }
}

const by = (rows: readonly Cells[], type: string): Cells[] => rows.filter((row) => row.type === type)
const dataOf = (row: Cells) => row.data as Record<string, unknown>
const sortKey = (row: Cells): string =>
  `${row.participant_id} ${String(row.room_seq ?? 0).padStart(9, '0')} ${row.seq}`
const sorted = (rows: readonly Cells[]): Cells[] =>
  rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))

/** Answers and messages are events under another heading: nothing else was needed to make these tables. */
export function expectAnswersFromEvents(archive: Archive): void {
  const events = archive.table('events')
  const given = archive.table('responses').filter(({ missing }) => missing === null)
  const fromEvents = by(events, 'component_response')
  expect(sorted(given).map(pick)).toEqual(
    sorted(fromEvents).map((row) => pick({ ...row, value: dataOf(row).value })),
  )
  const said = sorted(archive.table('messages')).map(({ participant_id, text }) => [participant_id, text])
  const written = sorted(by(events, 'chat_message')).map((row) => [row.participant_id, dataOf(row).text])
  expect(said).toEqual(written)
}

const pick = ({
  participant_id,
  seq,
  state_id,
  component_id,
  visit,
  value,
  server_time,
  client_time,
}: Cells) => ({
  ...{ participant_id, seq, state_id, component_id, visit, value, server_time, client_time },
})

/** Fields of an event’s data under the names of a table’s columns. */
export const renamed = (data: object, columns: ReadonlyMap<string, string>): Cells =>
  Object.fromEntries(Object.entries(data).map(([field, value]) => [columns.get(field) ?? field, value]))

/** What pages measured is in the events, and nothing that is not there is in the tables: not for agents, nor for what is missing. */
export function expectParadataFromEvents(archive: Archive): void {
  const events = archive.table('events')
  const own = (table: string, fields: readonly string[]) => {
    const columns = archive.columnsOf(table)
    const nothing = renamed(Object.fromEntries(fields.map((field) => [field, null])), columns)
    const rows = archive
      .table(table)
      .map((row) => [
        `${row.participant_id} ${row.seq}`,
        Object.fromEntries(Object.keys(nothing).map((name) => [name, row[name]])),
      ])
    return { rows, fromEvents: (data: unknown) => ({ ...nothing, ...renamed(Object(data), columns) }) }
  }
  const place = (row: Cells): string => `${row.participant_id} ${row.seq}`

  const [inEvents, inDevices] = [archive.columnsOf('events'), archive.columnsOf('devices')]
  const devices = own(
    'devices',
    [...inDevices.keys()].filter((field) => !inEvents.has(field)),
  )
  expect(devices.rows).toEqual(
    by(events, 'device_report').map((row) => [place(row), devices.fromEvents(row.data)]),
  )

  const given = by(events, 'component_response')
  const measured = [...new Set(given.flatMap((row) => Object.keys(Object(dataOf(row).paradata))))]
  const answers = own('responses', measured)
  const paradata = new Map(given.map((row) => [place(row), dataOf(row).paradata]))
  expect(answers.rows).toEqual(
    answers.rows.map(([where]) => [where, answers.fromEvents(paradata.get(String(where)))]),
  )
}

/** Each visit to a state from when it was entered to what ended it, and how long of it the room stood still. */
export function expectStatesFromEvents(archive: Archive): void {
  const events = archive.table('events')
  for (const visit of archive.table('states').filter(({ origin }) => origin === 'room')) {
    const own = events.filter((row) => row.participant_id === visit.participant_id && row.origin === 'room')
    const entered = own.find((row) => row.type === 'state_transition' && row.visit === visit.visit)
    expect(entered?.server_time, `${visit.state_id} of ${visit.alias}`).toBe(visit.entered_at)
    const paused = own
      .filter((row) => row.type === 'room_resumed' && row.visit === visit.visit)
      .reduce((sum, row) => sum + Number(dataOf(row).pausedMs), 0)
    expect(visit.paused_ms, `${visit.state_id} of ${visit.alias}`).toBe(paused)
    if (visit.left_at !== null)
      expect(visit.duration_ms).toBe(Number(visit.left_at) - Number(visit.entered_at))
  }
}

/** Paid amounts from the definition in the archive and the last value of the variable that it names. */
export function expectPaymentsFromEvents(archive: Archive, definition: Definition): void {
  const { currency, base, bonus } = definition.completion.payment
  const payoffs = by(archive.table('events'), 'payoff').filter((row) => dataOf(row).variable === bonus)
  for (const row of archive.table('payments')) {
    const payoff = payoffs.findLast(({ participant_id }) => participant_id === row.participant_id)
    const isPaid = row.outcome === 'SUCCESS'
    expect(row.currency).toBe(currency)
    const unrounded = isPaid ? base + Number(dataOf(payoff ?? {}).value) : 0
    expect(row.amount_unrounded).toBeCloseTo(unrounded, 9)
    expect(row.amount).toBe(Math.round(unrounded * 100) / 100)
  }
}

/** What each room put into the pot, divided by hand. */
export function expectPayoffsFromAnswers(archive: Archive): void {
  const responses = archive.table('responses').filter(({ missing }) => missing === null)
  const given = responses.filter(({ component_id }) => component_id === 'contribution')
  for (const payoff of by(archive.table('events'), 'payoff').filter(
    (row) => dataOf(row).variable === 'earned',
  )) {
    const inRoom = given.filter(({ room_id }) => room_id === payoff.room_id)
    const own = inRoom.find(({ participant_id }) => participant_id === payoff.participant_id)
    if (!own) continue
    const pot = inRoom.reduce((sum, { value }) => sum + Number(value), 0)
    expect(Number(dataOf(payoff).value)).toBeCloseTo(20 - Number(own.value) + pot / 3, 9)
  }
}

/** The order in which people met the states of each block is the one that had been planned for them. */
export function expectPlannedOrders(archive: Archive, definition: Definition): void {
  const visits = archive.table('states').filter(({ origin }) => origin === 'room')
  for (const row of archive.table('assignments')) {
    expect(definition.conditions.values).toContain(row.condition)
    const planned = row.planned_order as Record<string, string[]>
    for (const { id, states } of definition.blocks) {
      const met = visits
        .filter(
          (visit) => visit.participant_id === row.participant_id && states.includes(String(visit.state_id)),
        )
        .toSorted((a, b) => Number(a.visit) - Number(b.visit))
        .map(({ state_id }) => state_id)
      expect((planned[id] ?? []).slice(0, met.length), `${id} of ${row.participant_id}`).toEqual(met)
    }
  }
}

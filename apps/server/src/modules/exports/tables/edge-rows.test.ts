import { expect, test } from 'vitest'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { edgeRows } from './edge-rows.ts'

const session = (alias: string) =>
  ({
    participantId: `par_${alias}`,
    revision: 1,
    roomId: 'room_1',
    condition: null,
    alias,
    isSynthetic: false,
  }) as ExportedSession

const event = (visit: number | null, seat: number, seats: number[], more: Partial<StoredEvent> = {}) =>
  ({
    ...{
      type: 'neighbours',
      serverTime: 100 * (visit ?? 0),
      stateId: visit === null ? null : 'play',
      round: visit,
      visit,
    },
    roomSeq: 5,
    data: JSON.stringify({ seat, neighbours: seats.map((other) => ({ seat: other, alias: `P${other}` })) }),
    ...more,
  }) as StoredEvent

const store = {
  aliases: async () =>
    ['P1', 'P2', 'P3'].map((alias) => ({ roomId: 'room_1', alias, participantId: `par_${alias}` })),
}
const facts = (rows: readonly object[]) =>
  rows.map((row) => {
    const { alias, neighbourAlias, neighbourId, fromVisit, untilVisit } = row as Record<string, unknown>
    return [alias, neighbourAlias, neighbourId, fromVisit ?? null, untilVisit ?? null]
  })

test('[D49] an edge is under its lower seat, from when two are joined to when they are parted, also across pages', async () => {
  const table = edgeRows(store)
  const part = (alias: string, events: StoredEvent[]) => ({ session: session(alias), isFirst: true, events })
  const first = await table.rowsOf([part('P1', [event(null, 1, [2, 3])])], false)
  const second = await table.rowsOf(
    [part('P1', [event(2, 1, [3]), event(4, 1, [2, 3])]), part('P2', [event(null, 2, [1, 3, 9])])],
    true,
  )
  expect(facts(first)).toEqual([])
  expect(facts(second)).toEqual([
    ['P1', 'P2', 'par_P2', null, 2],
    ['P1', 'P3', 'par_P3', null, null],
    ['P1', 'P2', 'par_P2', 4, null],
    ['P2', 'P3', 'par_P3', null, null],
    ['P2', 'P9', undefined, null, null],
  ])
})

test('[D49] what a page sends under the same name, whatever is in it, makes no edge', async () => {
  const events = [
    event(1, 1, [2], { roomSeq: null }),
    event(1, 1, [], { data: '{"seat":"1","neighbours":[null,{"seat":"x"},{"alias":"P2"}]}' }),
    event(1, 1, [], { data: '{"neighbours":"all"}' }),
  ]
  expect(await edgeRows(store).rowsOf([{ session: session('P1'), isFirst: true, events }], true)).toEqual([])
})

import { expect, test } from 'vitest'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { stateRows } from './state-rows.ts'

const session = (participantId: string): ExportedSession => ({
  participantId,
  sessionId: `ses_${participantId}`,
  revision: 1,
  roomId: 'room_1',
  stage: null,
  condition: null,
  role: 'participant',
  alias: null,
  agent: null,
  isSynthetic: false,
  joinedAt: 0,
  outcome: null,
  completionCode: null,
  consentedAt: null,
  completedAt: null,
  eventCount: 0,
  language: null,
  softwareVersion: null,
  status: 'active',
  lastActivityAt: 0,
  droppedAt: null,
  droppedState: null,
  dropReason: null,
})

/** How far the participant’s clock is behind. */
const hourMs = 3_600_000

const event = (seq: number, more: Partial<StoredEvent> & { toState?: string }): StoredEvent => ({
  seq,
  type: 'state_transition',
  serverTime: seq * 10,
  clientTime: more.roomSeq === null ? seq * 10 - hourMs : null,
  clockOffsetMs: more.roomSeq === null ? hourMs - 3 : null,
  clockErrorMs: null,
  stateId: more.toState ?? null,
  componentId: null,
  eventId: null,
  round: null,
  visit: null,
  roomSeq: seq,
  flags: [],
  data: JSON.stringify({ toState: more.toState }),
  extra: null,
  ...more,
})

const facts = (rows: readonly object[]) =>
  rows.map((row) => {
    const { participantId, stateId, occurrence, enteredAt, leftAt, origin } = row as Record<string, unknown>
    return [participantId, origin, stateId, occurrence, enteredAt, leftAt]
  })

test('[R47] visits end with the next, with the participation, or not at all, also across pages', async () => {
  const table = stateRows()
  const first = await table.rowsOf(
    [
      {
        session: session('p'),
        isFirst: true,
        events: [event(1, { toState: 'a' }), event(2, { toState: 'b' })],
      },
    ],
    false,
  )
  const second = await table.rowsOf(
    [
      {
        session: session('p'),
        isFirst: false,
        events: [event(3, { toState: 'a' }), event(4, { type: 'finished', data: '{"outcome":"SUCCESS"}' })],
      },
      { session: session('q'), isFirst: true, events: [event(5, { toState: 'a' })] },
      { session: session('r'), isFirst: true, events: [] },
    ],
    true,
  )
  expect(facts(first)).toEqual([['p', 'room', 'a', 1, 10, 20]])
  expect(facts(second)).toEqual([
    ['p', 'room', 'b', 1, 20, 30],
    ['p', 'room', 'a', 2, 30, 40],
    ['q', 'room', 'a', 1, 50, null],
  ])
})

test('[R47,R88,D30] what the page says is apart from what the room says, and both are on the server’s clock; pages may say that it is the end', async () => {
  const events = [
    event(1, { toState: 'a' }),
    event(2, { toState: 'a', roomSeq: null }),
    event(3, { toState: 'b', roomSeq: null }),
    event(4, { type: 'finished', roomSeq: null, data: '{}' }),
    event(5, { toState: 'end', roomSeq: null }),
    event(6, { toState: 'b' }),
  ]
  const rows = await stateRows().rowsOf([{ session: session('p'), isFirst: true, events }], true)
  expect(facts(rows)).toEqual([
    ['p', 'client', 'a', 1, 20 - 3, 30 - 3],
    ['p', 'client', 'b', 1, 30 - 3, 50 - 3],
    ['p', 'room', 'a', 1, 10, 60],
    ['p', 'room', 'b', 1, 60, null],
  ])
})

test('[R88,D30] what a page says counts from when the server took it, where nobody knows how far its clock is off', async () => {
  const events = [1, 3].map((seq) =>
    event(seq, { toState: `state ${seq}`, roomSeq: null, clockOffsetMs: null }),
  )
  const rows = await stateRows().rowsOf([{ session: session('p'), isFirst: true, events }], true)
  expect(facts(rows)).toEqual([
    ['p', 'client', 'state 1', 1, 10, 30],
    ['p', 'client', 'state 3', 1, 30, null],
  ])
})

test('[R91,D25] pauses are apart from the time in a state, and whoever has vanished is not in the states that follow', async () => {
  const events = [
    event(1, { toState: 'a' }),
    event(2, { type: 'connected' }),
    event(3, { type: 'room_paused' }),
    event(5, { type: 'room_resumed' }),
    event(6, { type: 'room_paused' }),
    event(7, { type: 'disconnected' }),
    event(8, { type: 'connected', roomSeq: null }),
    event(9, { toState: 'b' }),
    event(10, { type: 'room_resumed' }),
    event(12, { toState: 'c' }),
    event(13, { type: 'connected' }),
    event(14, { type: 'finished', data: '{"outcome":"SUCCESS"}' }),
    event(15, { toState: 'a', roomSeq: null }),
  ]
  const rows = await stateRows().rowsOf([{ session: session('p'), isFirst: true, events }], true)
  const circumstances = rows.map(({ stateId, durationMs, pausedMs, wasPresent }) => [
    stateId,
    durationMs,
    pausedMs,
    wasPresent,
  ])
  expect(circumstances).toEqual([
    ['a', 80, 50, true],
    ['b', 30, 10, false],
    ['c', 20, 0, true],
    ['a', null, undefined, undefined],
  ])
})

test('[RM217] where roles rotate, each visit has the role of that time; what a page says of it is not believed', async () => {
  const entered = (seq: number, role: string, more: Partial<StoredEvent> = {}) =>
    event(seq, { toState: 'a', data: JSON.stringify({ toState: 'a', role }), ...more })
  const events = [entered(1, 'giver'), entered(2, 'taker'), event(3, { toState: 'b' })]
  const rows = await stateRows().rowsOf(
    [
      { session: session('p'), isFirst: true, events },
      { session: session('q'), isFirst: true, events: [entered(4, 'taker', { roomSeq: null })] },
    ],
    true,
  )
  expect(rows.map(({ participantId, role }) => [participantId, role])).toEqual([
    ['p', 'giver'],
    ['p', 'taker'],
    ['p', 'participant'],
    ['q', 'participant'],
  ])
})

test('[RM230] a state in a block in a block has the rounds around it', async () => {
  const table = stateRows()
  const within = [{ block: 'outer', round: 2 }]
  const events = [
    event(1, { toState: 'a', round: 1, data: JSON.stringify({ toState: 'a', within }) }),
    event(2, { toState: 'b' }),
  ]
  const rows = await table.rowsOf([{ session: session('p'), isFirst: true, events }], true)
  expect(rows.map(({ round, outerRounds }) => [round, outerRounds])).toEqual([
    [1, JSON.stringify(within)],
    [null, null],
  ])
})

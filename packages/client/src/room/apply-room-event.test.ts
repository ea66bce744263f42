import type { RoomEvent, RoomSnapshot } from '@atrium/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snapshotOf, stateOf } from '../test/fake-room.ts'
import { applyRoomEvent, withOwnResponse } from './apply-room-event.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)

const alias = fc.constantFrom('P1', 'P2', 'P3')
const variables = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer())
const body = fc.oneof(
  fc.record({
    type: fc.constant('state_entered' as const),
    state: fc.integer({ min: 1, max: 9 }).map((visit) => stateOf(`s${visit}`, visit)),
    globalComponents: fc.array(fc.record({ id: fc.string(), type: fc.constant('chat') }), { maxLength: 2 }),
    progress: fc.constant({ done: 1, of: 3 }),
  }),
  fc.record({ type: fc.constant('response_recorded' as const), alias, componentId: fc.constant('c1') }),
  fc.record({
    type: fc.constant('result' as const),
    componentId: fc.constantFrom('c1', 'c2'),
    result: fc.constant({ passed: true }),
  }),
  fc.record({
    type: fc.constant('message' as const),
    message: fc.record({
      messageId: fc.uuid(),
      from: alias,
      componentId: fc.constant(null),
      text: fc.string(),
      at: fc.nat(),
    }),
  }),
  fc.record({ type: fc.constant('ready' as const), alias }),
  fc.record({
    type: fc.constant('presence' as const),
    alias,
    presence: fc.constantFrom('connected' as const, 'away' as const),
  }),
  fc.record({
    type: fc.constant('seat' as const),
    alias,
    status: fc.constantFrom('dropped' as const, 'active' as const),
  }),
  fc.record({
    type: fc.constant('seated' as const),
    other: fc.record({
      alias,
      role: fc.constant('participant'),
      status: fc.constant('active' as const),
      presence: fc.constant('connected' as const),
      ready: fc.boolean(),
    }),
  }),
  fc.record({
    type: fc.constant('roles' as const),
    roles: fc.dictionary(alias, fc.constantFrom('giver', 'taker')),
    names: fc.constant({ giver: 'Giver' }),
  }),
  fc.record({ type: fc.constant('variables' as const), room: variables, self: variables }),
  fc.record({ type: fc.constant('paused' as const), reason: fc.string() }),
  fc.record(
    { type: fc.constant('resumed' as const), deadlineAt: fc.option(fc.nat()), shownDeadlineAt: fc.nat() },
    { requiredKeys: ['type', 'deadlineAt'] },
  ),
  fc.record({ type: fc.constant('announcement' as const), text: fc.string() }),
  fc.record({
    type: fc.constant('finished' as const),
    outcome: fc.constant('SUCCESS'),
    completionCode: fc.constant(null),
  }),
  fc.record({ type: fc.constant('room_ended' as const), reason: fc.constant('finished') }),
)

/** Numbers increase, with gaps: events that are not for this participant are left out. */
const history = fc.array(fc.tuple(body, fc.integer({ min: 1, max: 3 })), { maxLength: 30 }).map((steps) => {
  let seq = 0
  return steps.map(([event, step]): RoomEvent => {
    seq += step
    return { ...event, seq, at: seq }
  })
})

const play = (events: RoomEvent[], from: RoomSnapshot = snapshotOf()): RoomSnapshot =>
  events.reduce(applyRoomEvent, from)

test('[R26] events that the snapshot includes change nothing, not even the object', () => {
  fc.assert(
    fc.property(history, fc.nat(100), (events, seq) => {
      const snapshot = snapshotOf({ seq })
      for (const event of events.filter((one) => one.seq <= seq))
        expect(applyRoomEvent(snapshot, event)).toBe(snapshot)
    }),
    { seed },
  )
})

test('[R26] a snapshot in the middle and all events again give the same view', () => {
  fc.assert(
    fc.property(history, fc.nat(30), (events, at) => {
      const middle = play(events.slice(0, at))
      expect(play(events, middle)).toEqual(play(events))
      expect(play(events.flatMap((event) => [event, event]))).toEqual(play(events))
    }),
    { seed },
  )
})

test('seq is that of the newest event, and nothing given is changed in place', () => {
  fc.assert(
    fc.property(history, (events) => {
      const snapshot = snapshotOf()
      const copy = structuredClone([snapshot, events])
      expect(play(events, snapshot).seq).toBe(events.at(-1)?.seq ?? 0)
      expect([snapshot, events]).toEqual(copy)
    }),
    { seed },
  )
})

test('a new state begins without responses, results and readiness', () => {
  const before = withOwnResponse(snapshotOf(), { componentId: 'c1', value: 3, visit: 1 })
  const after = play(
    [
      { type: 'result', seq: 1, at: 1, componentId: 'c1', result: { passed: false } },
      { type: 'ready', seq: 2, at: 1, alias: 'P1' },
      { type: 'ready', seq: 3, at: 1, alias: 'P2' },
    ],
    before,
  )
  expect(after.self).toMatchObject({ ready: true, responses: { c1: 3 }, results: { c1: { passed: false } } })
  expect(after.others[0]?.ready).toBe(true)
  const entered: RoomEvent = {
    type: 'state_entered',
    seq: 4,
    at: 1,
    state: stateOf('s2', 2),
    globalComponents: [],
    progress: { done: 1, of: 3 },
  }
  const next = applyRoomEvent(after, entered)
  expect(next).toMatchObject({ state: { id: 's2' }, progress: { done: 1, of: 3 } })
  expect(next.self).toMatchObject({ ready: false, responses: {}, results: {} })
  expect(next.others[0]?.ready).toBe(false)
})

test('who is finished sees no state, and knows the outcome', () => {
  const after = play([
    { type: 'finished', seq: 1, at: 1, outcome: 'SUCCESS', completionCode: null },
    { type: 'room_ended', seq: 2, at: 1, reason: 'finished' },
  ])
  expect(after).toMatchObject({ status: 'ended', state: null, globalComponents: [] })
  expect(after.self).toMatchObject({ status: 'finished', outcome: 'SUCCESS' })
})

test('[RM262] figures of a large room have no number of their own, and older ones are ignored', () => {
  const crowd = { members: 60, away: 0, dropped: 0, gone: 0, ready: 7, roles: { participant: 60 }, agents: 0 }
  const before = snapshotOf({ seq: 5, others: [], crowd: { ...crowd, ready: 0 } })
  const told = { type: 'crowd', at: 1, crowd } as const
  expect(applyRoomEvent(before, { ...told, seq: 4 })).toBe(before)
  expect(applyRoomEvent(before, { ...told, seq: 5 })).toMatchObject({ seq: 5, crowd: { ready: 7 } })
  expect(applyRoomEvent(before, { ...told, seq: 6 })).toMatchObject({ seq: 6, crowd: { ready: 7 } })
})

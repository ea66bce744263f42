import type { LiveRoom } from '@atrium/contract'
import { expect, test } from 'vitest'
import { stuckBy } from './stuck.ts'

const room = (more: Partial<LiveRoom> = {}): LiveRoom => ({
  roomId: 'room_1',
  position: 0,
  status: 'running',
  resting: false,
  state: { id: 'ask', name: null, round: null, rounds: null },
  enteredAt: 0,
  deadlineAt: null,
  seats: [{ alias: 'P1', status: 'active', presence: 'connected', awaySince: null, state: null }],
  ...more,
})

test('a room is stuck when somebody has been away, or when it has been long in a state without a deadline', () => {
  const away = room({
    seats: [{ alias: 'P1', status: 'active', presence: 'away', awaySince: 0, state: null }],
  })
  expect([60_000, 60_001].map((now) => stuckBy(away, now))).toEqual([null, 'away'])
  expect([600_000, 600_001].map((now) => stuckBy(room(), now))).toEqual([null, 'long'])
  expect(stuckBy(room({ deadlineAt: 1 }), 9_000_000)).toBeNull()
})

test('people who have left hold nothing up, and a room that rests or is paused waits on purpose', () => {
  const gone = room({
    deadlineAt: 1,
    seats: [{ alias: 'P1', status: 'left', presence: 'away', awaySince: 0, state: null }],
  })
  expect(stuckBy(gone, 9_000_000)).toBeNull()
  expect(stuckBy(room({ resting: true }), 9_000_000)).toBeNull()
  expect(stuckBy(room({ status: 'paused' }), 9_000_000)).toBeNull()
})

test('where it is known how long others took, three times that is long, but never less than a minute', () => {
  const usual = { medianMs: 40_000, visits: 5 }
  expect([120_000, 120_001].map((now) => stuckBy(room(), now, usual))).toEqual([null, 'long'])
  expect([60_000, 60_001].map((now) => stuckBy(room(), now, { medianMs: 1_000, visits: 9 }))).toEqual([
    null,
    'long',
  ])
  // Four visits say little.
  expect(stuckBy(room(), 500_000, { medianMs: 1_000, visits: 4 })).toBeNull()
})

import { expect, test } from 'vitest'
import { findFaults, type LoadEntry } from './event-log.ts'

const entry = (kind: LoadEntry['kind'], batch: number, more: Partial<LoadEntry> = {}): LoadEntry => ({
  kind,
  batch,
  sessionId: 's',
  server: 0,
  ...more,
})
const lines = (...values: number[]) =>
  values.map((value, index) => ({ sessionId: 's', seq: index + 1, data: { value } }))
const log = [
  ...[entry('sent', 0), entry('acknowledged', 0), entry('sent', 1), entry('unreachable', 1)],
  ...[entry('sent', 1), entry('acknowledged', 1), entry('sent', 2), entry('refused', 2, { status: 503 })],
]

// All fault tests rely on this checker: it must detect each kind of damage.
test.each([
  ['everything acknowledged', lines(0, 1, 2, 3), []],
  ['an additional unacknowledged batch', lines(0, 1, 2, 3, 4, 5), []],
  ['a lost batch', lines(0, 1), ['s: batch 1 was acknowledged but is not stored']],
  ['half a batch', lines(0, 1, 2, 3, 4), ['s: batch 2 has 1 of 2 events']],
  ['a batch that nobody sent', lines(0, 1, 2, 3, 6, 7), ['s: batch 3 is stored but was never sent']],
  [
    'a duplicate batch',
    lines(0, 1, 2, 3, 2, 3),
    ['s: out of order or doubled: 0 1 2 3 2 3', 's: batch 1 has 4 of 2 events'],
  ],
  ['batches in the wrong order', lines(2, 3, 0, 1), ['s: out of order or doubled: 2 3 0 1']],
  [
    'a gap in the numbers',
    lines(0, 1, 2, 3).map((line) => ({ ...line, seq: line.seq === 4 ? 5 : line.seq })),
    ['s: sequence numbers have holes'],
  ],
])('the checker judges %s', (_what, stored, faults) => {
  expect(findFaults(log, stored, 2)).toEqual(faults)
})

test('the checker reports responses that a participant must not get', () => {
  const strange = [
    entry('refused', 2, { status: 500 }),
    entry('undocumented', 2, { reason: 'no such answer' }),
  ]
  expect(findFaults([...log, ...strange], lines(0, 1, 2, 3), 2)).toEqual([
    'status 500 for batch 2 of s',
    'undocumented answer: no such answer',
  ])
})

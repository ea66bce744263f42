import { expect, test } from 'vitest'
import { usualTimesOf } from './usual-times.ts'

test('the usual time of a state is the median of its visits, whatever the longest took', () => {
  const visits = [5_000, 3_000_000, 4_000].map((ms) => ({ stateId: 'give', ms }))
  expect(usualTimesOf([...visits, { stateId: 'read', ms: 2_000 }])).toEqual([
    { stateId: 'give', medianMs: 5_000, visits: 3 },
    { stateId: 'read', medianMs: 2_000, visits: 1 },
  ])
})

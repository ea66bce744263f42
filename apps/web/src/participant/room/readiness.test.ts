import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { readinessOf } from './readiness.ts'

type View = Pick<RoomSnapshot, 'self' | 'others'>
type Other = View['others'][number]

const self = { role: 'member', ready: true } as View['self']
const other = (more: Partial<Other>): Other => ({
  alias: 'P2',
  role: 'member',
  status: 'active',
  presence: 'connected',
  ready: false,
  ...more,
})

test('those who have left are not awaited', () => {
  const others = [other({ ready: true }), other({}), other({ status: 'left' }), other({ status: 'agent' })]
  expect(readinessOf({ self, others })).toEqual({ ready: 2, of: 4 })
})

test('in a group of several roles nobody is counted', () => {
  expect(readinessOf({ self, others: [other({ role: 'leader' })] })).toBeUndefined()
})

import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { texts } from '../../text/participant.ts'
import { absencesOf, readinessOf } from './others.ts'

type View = Pick<RoomSnapshot, 'self' | 'others'>
type Other = View['others'][number]

const self = { role: 'member', ready: true } as View['self']
const other = (alias: string, facts: Partial<Other>): Other => ({
  alias,
  role: 'member',
  status: 'active',
  presence: 'connected',
  ready: false,
  ...facts,
})

const statuses: Other['status'][] = ['dropped', 'left', 'removed', 'finished', 'replaced', 'agent']

test('[RM99] a participant who comes back sees who is away, was dropped or is gone', () => {
  const others = [
    other('P2', {}),
    other('P3', { presence: 'away' }),
    ...statuses.map((status) => other(status, { status, presence: 'away' })),
  ]
  expect(absencesOf({ others })).toEqual({
    away: ['P3'],
    dropped: ['dropped'],
    gone: ['left', 'removed', 'finished'],
  })
})

test('[RM99] one or several of them are named', () => {
  const { dropped, gone } = texts().room
  expect(dropped(['P2'])).toBe('P2 has been away for a while. The study continues without waiting for them.')
  expect(gone(['P2', 'P3'])).toBe('P2 and P3 are no longer taking part.')
})

test('those who have left are not awaited', () => {
  const others = [
    other('P2', { ready: true }),
    other('P3', {}),
    other('P4', { status: 'left' }),
    other('P5', { status: 'agent' }),
  ]
  expect(readinessOf({ self, others })).toEqual({ ready: 2, of: 4 })
})

test('in a group of several roles nobody is counted', () => {
  expect(readinessOf({ self, others: [other('P2', { role: 'leader' })] })).toBeUndefined()
})

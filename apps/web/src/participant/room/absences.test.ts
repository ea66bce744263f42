import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { texts } from '../../text/participant.ts'
import { absencesOf } from './absences.ts'

type Other = RoomSnapshot['others'][number]
const other = (alias: string, facts: Partial<Other>): Other => ({
  alias,
  role: 'participant',
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

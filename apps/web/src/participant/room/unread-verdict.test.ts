import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { unreadVerdict } from './unread-verdict.ts'

const saidAbout = (result?: Record<string, unknown>) =>
  unreadVerdict({ ...(result && { unread: { componentId: 'check', result } }) } as RoomSnapshot['self'])

test('a verdict that nobody could read is put into words, unless it is not the last one', () => {
  expect(saidAbout({ passed: true, attemptsLeft: 2 })).toBe('✓ All answers are correct.')
  expect(saidAbout({ passed: false, attemptsLeft: 0 })).toContain('no attempts left')
  expect(saidAbout({ correct: false })).toBe('✗ Incorrect.')
  expect(saidAbout({ passed: false, attemptsLeft: 1 })).toBeNull()
  expect(saidAbout({ note: 'thank you' })).toBeNull()
  expect(saidAbout()).toBeNull()
})

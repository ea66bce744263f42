import type { RoomEvent, StateView } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createLateVerdict } from './late-verdict.ts'

const result = (at: number, data: Record<string, unknown>): RoomEvent => ({
  type: 'result',
  seq: 1,
  at,
  componentId: 'check',
  result: data,
})
const entered = (at: number) => ({ type: 'state_entered', seq: 2, at }) as RoomEvent
const state = (endsOn: string) => ({ endsOn }) as StateView

function saidAfter(data: Record<string, unknown>, waitedMs: number, endsOn = 'all_responded'): string | null {
  const verdict = createLateVerdict()
  verdict.follow(result(1_000, data), state(endsOn))
  verdict.follow(entered(1_000 + waitedMs), state(endsOn))
  return verdict.text()
}

test('a verdict that nobody could read is told on the next page, and not after that', () => {
  expect(saidAfter({ passed: true, attemptsLeft: 2 }, 0)).toBe('✓ All answers are correct.')
  expect(saidAfter({ passed: false, attemptsLeft: 0 }, 10)).toContain('no attempts left')
  expect(saidAfter({ correct: false }, 10)).toBe('✗ Incorrect.')
  const verdict = createLateVerdict()
  verdict.follow(result(0, { passed: true }), state('all_responded'))
  verdict.follow(entered(1), state('all_responded'))
  verdict.follow(entered(2), state('button'))
  expect(verdict.text()).toBeNull()
})

test('a verdict that was there to be read is not told again', () => {
  expect(saidAfter({ passed: true }, 60_000)).toBeNull()
  expect(saidAfter({ passed: true }, 10, 'button')).toBeNull()
  expect(saidAfter({ passed: false, attemptsLeft: 1 }, 10)).toBeNull()
})

import type { Agent } from '@atrium/contract'
import { expect, test } from 'vitest'
import { typedAt } from './apply-turn.ts'

const persona: Agent = { id: 'robin', name: 'Robin', instructions: '', pacing: { charactersPerSecond: 10 } }
const turn = { turnId: 't1', cause: 'state' as const, dueAt: 1_000 }
const typed = (length: number, deadlineAt: number | null = null, isBlended = false) =>
  typedAt(
    { persona, turn, deadlineAt, seed: 'seed', isBlended },
    { message: { chat: 'chat', text: 'x'.repeat(length) } },
  )

test('[R44,AT9] a message takes as long as typing it would, at most 20 seconds, and arrives before the deadline', () => {
  expect(typed(50)).toBe(6_000)
  expect(typed(2_000)).toBe(21_000)
  expect(typed(2_000, 10_000)).toBe(9_000)
})

test('[RM174] a hidden agent types at a drawn speed, the same whenever the turn is taken', () => {
  const ms = typed(50, null, true) - turn.dueAt
  expect(ms).toBeGreaterThanOrEqual(3_500)
  expect(ms).toBeLessThanOrEqual(6_500)
  expect(ms).not.toBe(5_000)
  expect(typed(50, null, true) - turn.dueAt).toBe(ms)
  expect(typed(2_000, 10_000, true)).toBe(9_000)
})

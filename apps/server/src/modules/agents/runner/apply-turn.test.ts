import type { Agent } from '@atrium/contract'
import { expect, test } from 'vitest'
import { typedAt } from './apply-turn.ts'

const persona: Agent = { id: 'robin', name: 'Robin', instructions: '', pacing: { charactersPerSecond: 10 } }
const turn = { turnId: 't1', cause: 'state' as const, dueAt: 1_000 }
const typed = (length: number, deadlineAt: number | null = null) =>
  typedAt({ persona, turn, deadlineAt }, { message: { chat: 'chat', text: 'x'.repeat(length) } })

test('[R44] a message takes as long as typing it would, at most 20 seconds, and arrives before the deadline', () => {
  expect(typed(50)).toBe(6_000)
  expect(typed(2_000)).toBe(21_000)
  expect(typed(2_000, 10_000)).toBe(9_000)
})

import { answerOf, drawnOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

/** Cents. */
const amounts: Record<string, { high: number; low: number }> = {
  A: { high: 200, low: 160 },
  B: { high: 385, low: 10 },
}

export const recomputation: Recomputation = {
  participants: 6,
  compute: ({ people, responses, draws }) =>
    people.map(({ participantId }) => {
      const row = Number(drawnOf(draws, 'row', { participantId }))
      const number = Number(drawnOf(draws, 'number', { participantId }))
      const choices = answerOf(responses, 'list', { participantId }) as Record<string, string>
      const { high, low } = amounts[choices[row] ?? ''] ?? { high: Number.NaN, low: Number.NaN }
      const cents = number <= row ? high : low
      return { participantId, variables: { row, number, earned: cents / 100 }, amount: (100 + cents) / 100 }
    }),
}

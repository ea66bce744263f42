import { answerOf, drawnOf, roomsOf } from './raw-data.ts'
import type { PlayedStudy, Recomputation } from './recomputation.ts'

const rounds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

export const recomputation: Recomputation = {
  participants: 12,
  compute: (study) =>
    roomsOf(study).flatMap((room) => {
      const profits = rounds.map((round) => profitsOf(room, round))
      return room.people.map(({ participantId, pickedRounds }) => {
        if (new Set(pickedRounds).size !== 2) throw new Error(`${participantId} has rounds ${pickedRounds}`)
        const picked = pickedRounds.map((round) => profits[round - 1]?.get(participantId) ?? Number.NaN)
        const cents = 300 + 5 * picked.reduce((sum, profit) => sum + profit, 0)
        const earned = profits.at(-1)?.get(participantId)
        return { participantId, variables: { earned }, amount: Math.max(200, cents) / 100 }
      })
    }),
}

/** Participant → what they earned in a round. */
function profitsOf({ people, responses, draws }: PlayedStudy, round: number): Map<string, number> {
  const bidders = people.map(({ participantId }) => ({
    participantId,
    value: Number(drawnOf(draws, 'value', { participantId, round })),
    bid: Number(answerOf(responses, 'bid', { participantId, round })),
    lot: Number(drawnOf(draws, 'lot', { participantId, round })),
  }))
  const [winner, second] = bidders.toSorted((a, b) => b.bid - a.bid || b.lot - a.lot)
  return new Map(
    bidders.map((one) => [one.participantId, one === winner && second ? one.value - second.bid : 0]),
  )
}

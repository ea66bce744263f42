import { answerOf, drawnOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const rounds = [1, 2, 3, 4]
const prize = 20

export const recomputation: Recomputation = {
  participants: 15,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses, draws }) => {
      const winners = rounds.map((round) => {
        // Whoever has not chosen in time counts for nothing, and cannot win.
        const chose = people.filter(({ participantId }) =>
          responses.some(
            (row) =>
              row.participantId === participantId &&
              row.round === round &&
              row.componentId === 'number' &&
              row.missing === null,
          ),
        )
        const guesses = chose.map(({ participantId }) => ({
          participantId,
          number: Number(answerOf(responses, 'number', { participantId, round })),
          lot: Number(drawnOf(draws, 'lot', { participantId, round })),
        }))
        const total = guesses.reduce((sum, { number }) => sum + number, 0)
        // Times three for each of them, so that equal distances are exactly equal: two thirds of the mean.
        const distanceOf = ({ number }: { number: number }) =>
          Math.abs(3 * guesses.length * number - 2 * total)
        const least = Math.min(...guesses.map(distanceOf))
        const closest = guesses.filter((guess) => distanceOf(guess) === least)
        const [winner] = closest.toSorted((a, b) => a.lot - b.lot)
        return winner?.participantId
      })
      return people.map(({ participantId }) => {
        const points = prize * winners.filter((winner) => winner === participantId).length
        const won = winners.at(-1) === participantId
        return { participantId, variables: { points, won }, amount: (150 + 10 * points) / 100 }
      })
    }),
}

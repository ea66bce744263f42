import { roomsOf } from './raw-data.ts'
import type { PlayedStudy, Recomputation } from './recomputation.ts'

const maxRounds = 40
/** Own choice, then that of the other. */
const worth: Record<string, number> = { AA: 6, AB: 0, BA: 10, BB: 3 }

export const recomputation: Recomputation = {
  participants: 8,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses, draws }) => {
      const rounds = roundsBy(draws)
      const choicesOf = people.map(({ participantId }) => choicesIn(responses, participantId))
      return people.map(({ participantId }, seat) => {
        const [own = [], other = []] = [choicesOf[seat], choicesOf[1 - seat]]
        if (own.length !== rounds) throw new Error(`${own.length} choices in ${rounds} rounds`)
        const earned = own.map((choice, index) => worth[`${choice}${other[index]}`] ?? Number.NaN)
        const points = earned.reduce((sum, one) => sum + one, 0)
        const variables = { rounds, points, earned: earned.at(-1) }
        return { participantId, variables, amount: (150 + 5 * points) / 100 }
      })
    }),
}

/** Chance decides after every round, and no round follows the one after which it said that the game is over. */
function roundsBy(draws: PlayedStudy['draws']): number {
  const drawn = draws.filter(({ variable }) => variable === 'isOver')
  const ends = drawn.filter(({ value }) => value === true).length
  if (ends !== 1 && drawn.length < maxRounds) throw new Error(`chance ended ${ends} times`)
  return drawn.length
}

const choicesIn = (responses: PlayedStudy['responses'], participantId: string): unknown[] =>
  responses
    .filter((row) => row.participantId === participantId && row.componentId === 'choice')
    .toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0))
    .map(({ value }) => value)

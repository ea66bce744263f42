import { neighboursFrom } from './neighbours.ts'
import { answerOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const rounds = [1, 2, 3, 4, 5]

export const recomputation: Recomputation = {
  participants: 36,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses, edges }) => {
      const neighbours = neighboursFrom(edges)
      const hunted = (participantId: string, round: number) =>
        answerOf(responses, 'choice', { participantId, round })
      return people.map(({ participantId }) => {
        const around = neighbours.get(participantId) ?? []
        if (around.length !== 2) throw new Error(`somebody in a ring has ${around.length} neighbours`)
        const earned = rounds.map((round) =>
          hunted(participantId, round) === 'hare'
            ? 6
            : 4 * around.filter((one) => hunted(one, round) === 'stag').length,
        )
        const points = earned.reduce((sum, one) => sum + one, 0)
        return {
          participantId,
          variables: { points, earned: earned.at(-1) },
          amount: (150 + 4 * points) / 100,
        }
      })
    }),
}

import { answerOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const endowment = 10

export const recomputation: Recomputation = {
  participants: 8,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses }) => {
      const given = Number(answerOf(responses, 'give'))
      return people.map(({ participantId, role }) => {
        const points = role === 'decider' ? endowment - given : given
        return { participantId, variables: { points }, amount: (100 + 20 * points) / 100 }
      })
    }),
}

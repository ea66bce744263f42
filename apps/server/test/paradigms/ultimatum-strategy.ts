import { answerOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const endowment = 10

export const recomputation: Recomputation = {
  participants: 8,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses }) => {
      const offer = Number(answerOf(responses, 'propose'))
      const plan = answerOf(responses, 'respond') as Record<string, string>
      const accepted = plan[offer] === 'accept'
      return people.map(({ participantId, role }) => {
        const share = role === 'proposer' ? endowment - offer : offer
        const points = accepted ? share : 0
        return { participantId, variables: { points }, amount: (150 + 20 * points) / 100 }
      })
    }),
}

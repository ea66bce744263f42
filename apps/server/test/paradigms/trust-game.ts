import { answerOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const endowment = 10

export const recomputation: Recomputation = {
  participants: 8,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses }) => {
      const sent = Number(answerOf(responses, 'sending'))
      // Nobody is asked to return a part of nothing.
      const returned = sent === 0 ? 0 : Number(answerOf(responses, 'returning'))
      return people.map(({ participantId, role }) => {
        const points = role === 'sender' ? endowment - sent + returned : endowment + 3 * sent - returned
        return { participantId, variables: { points }, amount: (100 + 10 * points) / 100 }
      })
    }),
}

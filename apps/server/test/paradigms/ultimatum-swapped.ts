import { answerOf, roomsOf } from './raw-data.ts'
import type { PlayedStudy, Recomputation } from './recomputation.ts'

const endowment = 10

export const recomputation: Recomputation = {
  participants: 8,
  compute: (study) =>
    roomsOf(study).flatMap((room) => {
      const shares = [1, 2, 3].map((round) => sharesIn(room, round))
      return room.people.map(({ participantId, pickedRounds }) => {
        const [picked, ...more] = pickedRounds
        const points = shares[Number(picked) - 1]?.get(participantId)
        if (points === undefined || more.length > 0) throw new Error(`rounds ${pickedRounds} were picked`)
        const earned = shares.at(-1)?.get(participantId)
        return { participantId, variables: { earned }, amount: (150 + 30 * points) / 100 }
      })
    }),
}

/** Participant → points. Whoever was matched as the proposer is it in the first and third round. */
function sharesIn({ people, responses }: PlayedStudy, round: number): Map<string, number> {
  const [first, second] = ['proposer', 'responder'].map((role) =>
    String(people.find((one) => one.role === role)?.participantId),
  )
  const [proposer = '', responder = ''] = round % 2 === 1 ? [first, second] : [second, first]
  const offer = Number(answerOf(responses, 'offering', { participantId: proposer, round }))
  const isAccepted = answerOf(responses, 'responding', { participantId: responder, round }) === 'accept'
  return new Map([
    [proposer, isAccepted ? endowment - offer : 0],
    [responder, isAccepted ? offer : 0],
  ])
}

import { neighboursFrom } from './neighbours.ts'
import { answerOf, drawnOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const rounds = [1, 2, 3, 4, 5, 6, 7, 8]

export const recomputation: Recomputation = {
  participants: 72,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses, draws, edges, messages }) => {
      const neighbours = neighboursFrom(edges)
      if (edges.length !== 48) throw new Error(`there are ${edges.length} edges in a small world of 24`)
      if (messages.some(({ componentId }) => componentId !== 'neighbours')) throw new Error('an odd chat')
      const adopters = new Set(
        people.flatMap(({ participantId }) =>
          drawnOf(draws, 'isInnovator', { participantId }) === true ? [participantId] : [],
        ),
      )
      const points = new Map<string, number>()
      for (const round of rounds) {
        const undecided = people.filter(({ participantId }) => !adopters.has(participantId))
        for (const { participantId } of undecided)
          if (answerOf(responses, 'choice', { participantId, round }) === 'take it')
            adopters.add(participantId)
        for (const { participantId } of people) {
          const hasNew = adopters.has(participantId)
          const alike = (neighbours.get(participantId) ?? []).filter((one) => adopters.has(one) === hasNew)
          points.set(participantId, (points.get(participantId) ?? 0) + (hasNew ? 2 : 1) * alike.length)
        }
      }
      return people.map(({ participantId }) => {
        const earned = points.get(participantId) ?? 0
        const product = adopters.has(participantId) ? 'new' : 'old'
        return { participantId, variables: { points: earned, product }, amount: (200 + 2 * earned) / 100 }
      })
    }),
}

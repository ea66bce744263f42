import { answerOf } from './raw-data.ts'
import type { PlayedStudy, Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 8,
  compute(study) {
    refuseAgreement(study)
    const { people, responses } = study
    return people.map(({ participantId }) => {
      const of = { participantId }
      const side = answerOf(responses, 'vote', of)
      const first = Number(answerOf(responses, 'agreement', of))
      const last = Number(answerOf(responses, 'agreement_now', of))
      const talked = study.states.some(
        (row) =>
          row.participantId === participantId && row.stateId === 'conversation' && row.origin === 'room',
      )
      const moved = side === 'for' ? first - last : last - first
      return { participantId, variables: { side, first, last, talked, moved }, amount: 2.5 }
    })
  },
}

/** Whoever talked did so with one person, who had voted the other way. */
function refuseAgreement({ states, responses }: PlayedStudy): void {
  const talks = states.filter(({ stateId, origin }) => stateId === 'conversation' && origin === 'room')
  for (const [roomId, rows] of Map.groupBy(talks, (row) => row.roomId)) {
    const votes = rows.map(({ participantId }) => answerOf(responses, 'vote', { participantId })).toSorted()
    if (votes.join() !== 'against,for') throw new Error(`${roomId} brought together ${votes.join(' and ')}`)
  }
  if (talks.length === 0) throw new Error('nobody talked')
}

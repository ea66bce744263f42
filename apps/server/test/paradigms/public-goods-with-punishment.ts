import { answerOf, roomsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const rounds = [1, 2, 3]
const endowment = 20

export const recomputation: Recomputation = {
  participants: 12,
  compute: (study) =>
    roomsOf(study).flatMap(({ people, responses }) => {
      const punishments = responses.filter(({ componentId }) => componentId === 'punishment')
      /** Of the answers about people, one row for each of them. */
      const pointsOf = (round: number, which: { from?: string; to?: string | null }): number[] =>
        punishments
          .filter((row) => row.round === round)
          .filter(({ participantId }) => which.from === undefined || participantId === which.from)
          .filter(({ target }) => which.to === undefined || target === which.to)
          .map(({ value }) => Number(value))
      return people.map(({ participantId, alias }) => {
        const perRound = rounds.map((round) => {
          const given = people.map((one) =>
            Number(answerOf(responses, 'contribution', { participantId: one.participantId, round })),
          )
          const own = Number(answerOf(responses, 'contribution', { participantId, round }))
          const [spent, received] = [pointsOf(round, { from: participantId }), pointsOf(round, { to: alias })]
          if (spent.length !== people.length - 1 || received.length !== people.length - 1)
            throw new Error('everybody answers about everybody else, once in each round')
          const left = Math.max(0, endowment - own + 0.4 * sum(given) - 3 * sum(received))
          return left - Math.min(sum(spent), left)
        })
        const points = sum(perRound)
        return { participantId, variables: { points }, amount: Math.round(100 + 2 * points) / 100 }
      })
    }),
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

import { deviationOf, meanOf, trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const truths = [206, 880, 193]

export const recomputation: Recomputation = {
  participants: 100,
  compute({ people, trials }) {
    const estimates = people.map(({ participantId }) => {
      const asked = trialsOf(trials, participantId, 'alone')
      if (asked.length !== truths.length) throw new Error(`${participantId} was not asked everything`)
      return asked.map((row) => [Number(row.alone__estimate), Number(row.together__estimate_again)] as const)
    })
    // What the room has in the end is about the last question.
    const last = estimates.map((asked) => asked.at(-1) ?? [0, 0])
    const [first, second] = [last.map(([alone]) => alone), last.map(([, together]) => together)]
    const ofCrowd = {
      first_mean: meanOf(first),
      first_spread: deviationOf(first),
      second_mean: meanOf(second),
      second_spread: deviationOf(second),
    }
    return people.map(({ participantId }, index) => {
      const isClose = truths.map((truth, at) => {
        const [, together = 0] = estimates[index]?.[at] ?? []
        return Math.abs(together - truth) <= 0.1 * truth
      })
      const close = isClose.filter(Boolean).length
      const variables = { close, moved: first[index] !== second[index], ...ofCrowd }
      return { participantId, variables, amount: (100 + 25 * close) / 100 }
    })
  },
}

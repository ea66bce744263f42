import { meanOf, trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 6,
  compute: ({ people, trials, draws }) =>
    people.map(({ participantId }) => {
      const advice = draws.filter((row) => row.participantId === participantId && row.variable === 'advice')
      const judged = trialsOf(trials, participantId, 'first').map((row, at) => ({
        truth: Number(row.row_truth),
        first: Number(row.first__estimate),
        last: Number(row.second__final_estimate),
        advice: Number(advice[at]?.value),
      }))
      if (judged.length !== 8 || advice.length !== 8) throw new Error(`${participantId} judged too little`)
      const weights = judged.flatMap(({ first, last, advice }) =>
        advice === first ? [] : [Math.min(1, Math.max(0, (last - first) / (advice - first)))],
      )
      const close = judged.filter(({ last, truth }) => Math.abs(last - truth) <= 0.1 * truth).length
      const variables = { weights, close, mean_weight: meanOf(weights) }
      return { participantId, variables, amount: (150 + 20 * close) / 100 }
    }),
}

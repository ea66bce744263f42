import { meanOf, trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 4,
  compute: ({ people, trials }) =>
    people.map(({ participantId }) => {
      const practice = trialsOf(trials, participantId, 'practice')
      const isRight = practice.map(({ response, row_key }) => response === row_key)
      const share = (tried: number) => isRight.slice(0, tried).filter(Boolean).length / tried
      const enough = isRight.findIndex((_right, at) => at >= 9 && share(at + 1) >= 0.8)
      const tried = enough < 0 ? 40 : enough + 1
      if (practice.length !== tried)
        throw new Error(`${participantId} practised ${practice.length} times, not ${tried}`)
      const isPractised = enough >= 0
      const main = trialsOf(trials, participantId, 'main')
      if (main.length !== (isPractised ? 80 : 0))
        throw new Error(`${participantId} had ${main.length} trials`)
      const times = (kind: string) =>
        main.flatMap(({ row_kind, response, row_key, rtMs }) =>
          row_kind === kind && response === row_key ? [Number(rtMs)] : [],
        )
      const [congruent, incongruent] = [times('congruent'), times('incongruent')]
      const [mean_congruent, mean_incongruent] = [meanOf(congruent), meanOf(incongruent)]
      const variables = {
        ...{ tried, hits: isRight.filter(Boolean).length },
        right_congruent: congruent.length,
        right_incongruent: incongruent.length,
        ...{ mean_congruent, mean_incongruent },
        flanker_effect: isPractised ? Number(mean_incongruent) - Number(mean_congruent) : null,
      }
      return { participantId, variables, amount: isPractised ? 1.5 : 0 }
    }),
}

import { trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 5,
  // Random letters would never be a word of the list.
  answers: {
    words: ['Apple bridge, candle\nDESERT engine', 'oyster napkin magnet lemon kitten jungle', 'nothing'],
  },
  compute: ({ people, responses, trials }) =>
    people.map(({ participantId }) => {
      const studied = new Set(trialsOf(trials, participantId, 'study').map(({ row_word }) => row_word))
      const sums = trialsOf(trials, participantId, 'check_sum')
      const words = trialsOf(trials, participantId, 'recognise')
      if (studied.size !== 20 || new Set(words.map(({ row_word }) => row_word)).size !== 40)
        throw new Error(`${participantId} did not study twenty words and judge forty`)
      const written = responses.find(
        (row) => row.participantId === participantId && row.componentId === 'words' && row.missing === null,
      )
      const remembered = new Set(
        String(written?.value ?? '')
          .toLowerCase()
          .split(/[^a-z]+/),
      )
      const old = words.filter(({ row_word }) => studied.has(row_word))
      const fresh = words.filter(({ row_word }) => !studied.has(row_word))
      const isSaidOld = ({ recognise__seen }: (typeof words)[number]) => recognise__seen === 'old'
      const isRecalled = ({ row_word }: (typeof words)[number]) => remembered.has(String(row_word))
      const variables = {
        sums_right: sums.filter(({ check_sum__is_right, row_right }) => check_sum__is_right === row_right)
          .length,
        ...{ recalled: old.filter(isRecalled).length, intrusions: fresh.filter(isRecalled).length },
        ...{ hits: old.filter(isSaidOld).length, false_alarms: fresh.filter(isSaidOld).length },
      }
      return { participantId, variables, amount: 1.8 }
    }),
}

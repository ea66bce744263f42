import { deviationOf, meanOf, trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

/** Words of each block. */
const lengths = { 1: 20, 2: 20, 3: 20, 4: 40, 5: 40, 6: 20, 7: 40 }

export const recomputation: Recomputation = {
  participants: 4,
  compute: ({ people, trials }) =>
    people.map(({ participantId, condition }) => {
      const [first, pleasantSide] = condition?.split('×') ?? []
      const isPaired = first === 'flowers_with_pleasant'
      const isPleasantLeft = pleasantSide === 'left'
      const blockOf = (block: number) => {
        const rows = trialsOf(trials, participantId, `word_${block}`)
        if (rows.length !== lengths[block as keyof typeof lengths])
          throw new Error(`block ${block} of ${participantId} has ${rows.length} words`)
        const areFlowersLeft = (isPaired === isPleasantLeft) === block < 5
        const answered = rows.flatMap(({ row_kind, row_category, response, rtMs, timedOut }) => {
          if (timedOut) return []
          const isLeft =
            row_kind === 'target'
              ? (row_category === 'flower') === areFlowersLeft
              : (row_category === 'pleasant') === isPleasantLeft
          return [{ ms: Number(rtMs), isRight: response === (isLeft ? 'e' : 'i') }]
        })
        const right = answered.flatMap(({ ms, isRight }) => (isRight ? [ms] : []))
        const penalty = Number(meanOf(right)) + 600
        const latency = meanOf(answered.map(({ ms, isRight }) => (isRight ? ms : penalty)))
        const wrong = answered.length - right.length
        return { all: answered.map(({ ms }) => ms), wrong, latency: Number(latency) }
      }
      const [b3, b4, b6, b7] = [blockOf(3), blockOf(4), blockOf(6), blockOf(7)]
      const difference = (early: typeof b3, late: typeof b3) =>
        (late.latency - early.latency) / deviationOf([...early.all, ...late.all])
      const later = (difference(b3, b6) + difference(b4, b7)) / 2
      const counted = [b3, b4, b6, b7].flatMap(({ all }) => all)
      const variables = {
        ...{ wrong_3: b3.wrong, wrong_4: b4.wrong, wrong_6: b6.wrong, wrong_7: b7.wrong },
        ...{ latency_3: b3.latency, latency_4: b4.latency, latency_6: b6.latency, latency_7: b7.latency },
        too_fast: counted.filter((ms) => ms < 300).length,
        // Positive where flowers with pleasant words are faster, whichever came first.
        d_score: isPaired ? later : -later,
      }
      return { participantId, variables, amount: 2 }
    }),
}

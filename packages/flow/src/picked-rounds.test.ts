import { expect, test } from 'vitest'
import { hasRoundAhead, payableBlocks, payableRoundAt, pickRounds } from './picked-rounds.ts'
import { planSteps } from './plan.ts'

const state = (id: string) => ({ id, components: [] })
const definition = {
  name: 'Study',
  states: ['intro', 'practice', 'give', 'result', 'mood', 'end-page'].map(state),
  blocks: [
    { id: 'try', states: ['practice'], rounds: 2 },
    { id: 'game', states: ['give', 'result'], rounds: 5 },
    { id: 'questions', states: ['mood'] },
  ],
}
const steps = planSteps(definition, 'seed', 0)
const game = { rounds: 2, of: 'earned', block: 'game' }
const rounds = (block: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ blockId: block, round: index + 1 }))

test('[F61] the rounds that count are those of the block that is named, or of every block with more than one', () => {
  expect(payableBlocks(definition, game)).toEqual([{ blockId: 'game', rounds: 5 }])
  expect(payableBlocks(definition, { rounds: 1, of: 'earned' })).toEqual([
    { blockId: 'try', rounds: 2 },
    { blockId: 'game', rounds: 5 },
  ])
})

test('[F61] a round is ahead until the path has left the last of them', () => {
  const last = steps.findLastIndex(({ blockId }) => blockId === 'game')
  expect(hasRoundAhead(steps, 0, game)).toBe(true)
  expect(hasRoundAhead(steps, last, game)).toBe(true)
  expect(hasRoundAhead(steps, last + 1, game)).toBe(false)
  expect(hasRoundAhead(steps, steps.length, game)).toBe(false)
})

test('[F62] the pick is the same for the same seed, in the order of the path, and of rounds that were played', () => {
  const kept = rounds('game', 5)
  const picked = pickRounds(kept, steps, game, 'seed')
  expect(picked).toHaveLength(2)
  expect(pickRounds(kept.toReversed(), steps, game, 'seed')).toEqual(picked)
  expect(picked.map(({ round }) => round)).toEqual(picked.map(({ round }) => round).sort())
  const played = kept.slice(0, 1)
  expect(pickRounds(played, steps, game, 'seed')).toEqual(played)
  expect(pickRounds([], steps, game, 'seed')).toEqual([])
})

test('[F62] every round is picked equally often', () => {
  const times = new Map<number, number>()
  for (let room = 0; room < 5_000; room++)
    for (const { round } of pickRounds(rounds('game', 5), steps, { ...game, rounds: 1 }, `room ${room}`))
      times.set(round, (times.get(round) ?? 0) + 1)
  // Four standard deviations of a binomial with n = 5,000 and p = 1/5.
  for (const round of [1, 2, 3, 4, 5]) expect(Math.abs((times.get(round) ?? 0) - 1_000)).toBeLessThan(114)
})

test('[F185] of blocks in blocks, the rounds of the outermost are paid', () => {
  const nested = {
    ...definition,
    blocks: [
      { id: 'game', states: ['turns', 'result'], rounds: 3 },
      { id: 'turns', states: ['give'], rounds: 4 },
    ],
  }
  expect(payableBlocks(nested, { rounds: 1, of: 'earned' })).toEqual([{ blockId: 'game', rounds: 3 }])
  const path = planSteps(nested, 'seed', 0)
  expect(path.flatMap((step) => payableRoundAt(step, game)?.round ?? [])).toEqual(
    [1, 2, 3].flatMap((round) => Array(5).fill(round)),
  )
  expect(payableBlocks(nested, { ...game, block: 'turns' })).toEqual([])
})

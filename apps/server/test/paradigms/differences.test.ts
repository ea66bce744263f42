import { expect, it } from 'vitest'
import { differencesBetween, type StoredResults } from './differences.ts'

const stored = (payoff: number, amount: number) =>
  ({
    participants: [{ participantId: 'a', outcome: 'SUCCESS', var_points: payoff, payoff_points: payoff }],
    payments: [{ participantId: 'a', currency: 'EUR', amount }],
  }) as unknown as StoredResults
const recomputed = [{ participantId: 'a', variables: { points: 6 }, amount: 2.6 }]

it('a payoff and a payment that are what they should be differ in nothing', () => {
  expect(differencesBetween(stored(6, 2.6), recomputed)).toEqual([])
})

it('a payoff that is one point too high is found, and so is a payment that is a cent too low', () => {
  expect(differencesBetween(stored(7, 2.6), recomputed)).toEqual([
    'var_points of a is 7, not 6',
    'payoff_points of a is 7, not 6',
  ])
  expect(differencesBetween(stored(6, 2.59), recomputed)).toEqual(['a is paid 2.59, not 2.6'])
})

it('people and payoffs that nobody computed again are found', () => {
  expect(differencesBetween(stored(6, 2.6), [])).toEqual(['a was not computed again'])
  const [without] = differencesBetween(stored(6, 2.6), [{ participantId: 'a', variables: {}, amount: 2.6 }])
  expect(without).toBe('the payoff points of a was not computed again')
})

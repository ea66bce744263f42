import { expect, test } from 'vitest'
import { earningsOf } from './earnings.ts'

const eur = { currency: 'EUR', base: 2.5, bonus: 'points' }

test('[R64,D40] the amount is rounded once and its parts add up to it, with the unrounded value beside it', () => {
  expect(earningsOf(eur, 'SUCCESS', 1.2345)).toEqual({
    isPaid: true,
    base: 2.5,
    bonus: 1.23,
    amount: 3.73,
    amountUnrounded: 3.7345,
    currency: 'EUR',
  })
  const halves = earningsOf({ ...eur, base: 0.005 }, 'SUCCESS', 0.005)
  expect(halves).toMatchObject({ base: 0.01, bonus: 0, amount: 0.01, amountUnrounded: 0.01 })
  expect(earningsOf({ ...eur, currency: 'JPY' }, 'SUCCESS', 10.4)).toMatchObject({ amount: 13, bonus: 10 })
})

test('[R64,D15] outcomes that are not listed earn nothing, and a bonus that is no number leaves the amount open', () => {
  expect(earningsOf(eur, 'TIMEOUT', 3)).toMatchObject({ isPaid: false, amount: 0, amountUnrounded: 0 })
  expect(earningsOf(eur, null, 3)).toMatchObject({ isPaid: false, amount: 0 })
  expect(earningsOf({ ...eur, outcomes: ['TIMEOUT'] }, 'TIMEOUT', 3)).toMatchObject({ amount: 5.5 })
  expect(earningsOf(eur, 'SUCCESS', null)).toMatchObject({ base: 2.5, bonus: null, amount: null })
  expect(earningsOf(eur, 'SUCCESS', Number.NaN)).toMatchObject({ bonus: null, amountUnrounded: null })
  expect(earningsOf({ currency: 'EUR', base: 1 }, 'SUCCESS', null)).toMatchObject({ bonus: 0, amount: 1 })
})

test('[R64,F64] the rate turns points into money, which stays within bounds and is rounded as the study says', () => {
  const points = { currency: 'EUR', bonus: 'points', rate: 0.15 }
  expect(earningsOf(points, 'SUCCESS', 7)).toMatchObject({ amountUnrounded: 1.05, amount: 1.05 })
  expect(earningsOf(points, 'SUCCESS', 0.1)).toMatchObject({ amountUnrounded: 0.015, amount: 0.02 })
  expect(earningsOf({ ...points, rounding: 'up' }, 'SUCCESS', 6.71)).toMatchObject({
    amountUnrounded: 1.0065,
    amount: 1.01,
  })
  expect(earningsOf({ ...points, rounding: 'up' }, 'SUCCESS', -6.71)).toMatchObject({ amount: -1 })
  const bounded = { ...points, base: 1, min: 2, max: 5 }
  expect(earningsOf(bounded, 'SUCCESS', 1)).toMatchObject({ base: 1, bonus: 1, amount: 2 })
  expect(earningsOf(bounded, 'SUCCESS', 100)).toMatchObject({ base: 1, bonus: 4, amount: 5 })
  expect(earningsOf(bounded, 'TIMEOUT', 100)).toMatchObject({ base: 0, bonus: 0, amount: 0 })
  const picked = { currency: 'JPY', pick: { rounds: 1, of: 'points' }, rate: 12.5, rounding: 'up' as const }
  expect(earningsOf(picked, 'SUCCESS', 3)).toMatchObject({ amountUnrounded: 37.5, amount: 38, bonus: 38 })
  expect(earningsOf(picked, 'SUCCESS', null)).toMatchObject({ amount: null })
})

test('[R64] no number that an expression can give makes an amount that is none', () => {
  const most = { currency: 'KWD', base: 1_000_000, bonus: 'x', rate: 1_000_000 }
  for (const points of [1e308, -1e308, 5e-324, Number.POSITIVE_INFINITY])
    expect(earningsOf(most, 'SUCCESS', points)).toSatisfy(
      ({ amount }) => amount === null || Number.isFinite(amount),
    )
})

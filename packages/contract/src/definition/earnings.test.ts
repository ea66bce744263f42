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

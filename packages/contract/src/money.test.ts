import { expect, test } from 'vitest'
import { minorDigitsOf, plainMoney, productOf, roundMoney, sumOf } from './money.ts'

test.each([
  ['EUR', 1.005, 1.01],
  ['EUR', 1.004999, 1],
  ['EUR', -1.005, -1.01],
  ['EUR', 0.67 * 1.5, 1.01],
  ['EUR', 1.15 * 0.9, 1.04],
  ['EUR', 0.0049, 0],
  ['EUR', 1e-9, 0],
  ['EUR', 1e20, 1e20],
  ['JPY', 99.5, 100],
  ['JPY', 99.49, 99],
  ['KWD', 0.0005, 0.001],
  ['KWD', 12.3454, 12.345],
])('[R64] %s %d is rounded once, half away from zero, to %d', (currency, amount, expected) => {
  expect(roundMoney(amount, currency)).toBe(expected)
  expect(roundMoney(expected, currency)).toBe(expected)
})

test('[R64,D40] amounts add up as decimals, and are written with all digits of the currency', () => {
  expect(sumOf(0.1, 0.2)).toBe(0.3)
  expect(sumOf(2.5, -2.5)).toBe(0)
  expect(sumOf(1, 1.256)).toBe(2.256)
  expect(plainMoney(12, 'GBP')).toBe('12.00')
  expect(plainMoney(1.2555, 'KWD')).toBe('1.256')
  expect(plainMoney(1e21, 'JPY')).toBe('1000000000000000000000')
  expect(['EUR', 'JPY', 'KWD'].map(minorDigitsOf)).toEqual([2, 0, 3])
})

test.each([
  ['EUR', 1.001, 1.01],
  ['EUR', 1.01, 1.01],
  ['EUR', 0.1 + 0.2, 0.3],
  ['EUR', -1.009, -1],
  ['JPY', 99.01, 100],
  ['KWD', 0.0001, 0.001],
])('[R64,F64] %s %d is rounded up to %d', (currency, amount, expected) => {
  expect(roundMoney(amount, currency, 'up')).toBe(expected)
  expect(roundMoney(expected, currency, 'up')).toBe(expected)
})

test('[R64,F64] amounts multiply as decimals', () => {
  expect(productOf(1.1, 1.1)).toBe(1.21)
  expect(productOf(0.07, 3)).toBe(0.21)
  expect(productOf(1, 0.1 + 0.2)).toBe(0.3)
})

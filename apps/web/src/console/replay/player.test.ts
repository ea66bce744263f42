import { expect, test } from 'vitest'
import { elapsed, indexAt, indexOfNumber, waitAfter, windowAround } from './player.ts'

const moments = [
  { number: 1, at: 1_000 },
  { number: 4, at: 1_000 },
  { number: 5, at: 3_000 },
  { number: 9, at: 63_000 },
]

test('a link names a moment that may be no moment of its own', () => {
  expect([0, 1, 3, 4, 8, 9, 99].map((number) => indexOfNumber(moments, number))).toEqual([
    0, 0, 0, 1, 2, 3, 3,
  ])
})

test('a time on the slider is the last moment up to it', () => {
  expect([0, 1_000, 2_999, 3_000, 70_000].map((at) => indexAt(moments, at))).toEqual([0, 1, 1, 2, 3])
})

test('waits are as long as they were, by the speed, and never longer than two seconds', () => {
  expect([0, 1, 2, 3].map((index) => waitAfter(moments, index, 1))).toEqual([0, 2_000, 2_000, null])
  expect([1, 2].map((index) => waitAfter(moments, index, 20))).toEqual([100, 2_000])
})

test('times are shown since the beginning', () => {
  expect([-5, 0, 59_999, 60_000, 3_600_000, 36_061_000].map(elapsed)).toEqual([
    '0:00',
    '0:00',
    '0:59',
    '1:00',
    '1:00:00',
    '10:01:01',
  ])
})

test('a long list is shown around the current moment', () => {
  expect(windowAround(10, 3, 200)).toEqual({ from: 0, to: 10 })
  expect(windowAround(1_000, 500, 200)).toEqual({ from: 400, to: 600 })
  expect(windowAround(1_000, 990, 200)).toEqual({ from: 800, to: 1_000 })
})

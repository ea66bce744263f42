import { expect, test } from 'vitest'
import { parseRange, rangeWithin } from './requested-output.ts'

test.each<[string | undefined, ReturnType<typeof rangeWithin> | 'all']>([
  [undefined, 'all'],
  ['bytes=0-', { first: 0, last: 9 }],
  ['bytes=2-4', { first: 2, last: 4 }],
  ['bytes=2-400', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-300', { first: 0, last: 9 }],
  ['bytes=10-', undefined],
  ['bytes=-0', undefined],
  ['bytes=4-2', 'all'],
  ['bytes=0-1,3-4', 'all'],
  ['lines=0-1', 'all'],
  ['bytes=-', 'all'],
  ['bytes=1-99999999999999999999', 'all'],
])('[V11] of ten bytes, Range %s is %j', (header, expected) => {
  const requested = parseRange(header)
  expect(requested ? rangeWithin(requested, 10) : 'all').toEqual(expected)
})

import { expect, it } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

it('[R26] a burst is allowed, then a steady rate; never more than one burst accumulates', () => {
  const bucket = createTokenBucket(10, 3, 0)
  const takeAll = (at: number): number => {
    let taken = 0
    while (bucket.take(at)) taken++
    return taken
  }
  expect(takeAll(0)).toBe(3)
  expect(takeAll(99)).toBe(0)
  expect(takeAll(200)).toBe(2)
  expect(takeAll(60_000)).toBe(3)
})

it('[R26] overspending leaves nothing, and tells when there will be enough', () => {
  const bucket = createTokenBucket(10, 100, 0)
  expect(bucket.spend(0, 100)).toBe(true)
  expect(bucket.msUntil(0, 50)).toBe(5_000)
  expect(bucket.spend(1_000, 11)).toBe(false)
  expect(bucket.msUntil(1_000, 50)).toBe(5_000)
  expect(bucket.msUntil(60_000, 50)).toBe(0)
})

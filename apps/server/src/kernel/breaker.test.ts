import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'

test('a partner that answers is always called', () => {
  const breaker = createBreaker({ restMs: 100, trialMs: 300 })
  breaker.answered()
  expect([0, 1, 2].map((now) => breaker.mayAsk(now))).toEqual([true, true, true])
})

test('after silence there is a pause, then one trial, and its answer lets everybody call again', () => {
  const breaker = createBreaker({ restMs: 100, trialMs: 300 })
  breaker.stayedSilent(1_000)
  expect([1_000, 1_099, 1_100, 1_101, 1_399].map((now) => breaker.mayAsk(now))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ])
  breaker.answered()
  expect(breaker.mayAsk(1_400)).toBe(true)
})

test('a trial without an answer, or without a report, is followed by another', () => {
  const breaker = createBreaker({ restMs: 100, trialMs: 300 })
  breaker.stayedSilent(0)
  expect(breaker.mayAsk(100)).toBe(true)
  breaker.stayedSilent(250)
  expect([349, 350].map((now) => breaker.mayAsk(now))).toEqual([false, true])
  expect([649, 650].map((now) => breaker.mayAsk(now))).toEqual([false, true])
})

test('a trial that its caller gives up is followed by another at once; other calls do not shorten the pause', () => {
  const breaker = createBreaker({ restMs: 100, trialMs: 300 })
  breaker.stayedSilent(0)
  breaker.released()
  expect([99, 100, 101].map((now) => breaker.mayAsk(now, 50))).toEqual([false, true, false])
  breaker.released()
  expect([102, 103, 151, 152].map((now) => breaker.mayAsk(now, 50))).toEqual([true, false, false, true])
})

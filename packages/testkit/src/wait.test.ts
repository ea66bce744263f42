import { expect, test } from 'vitest'
import { waitUntil } from './wait.ts'

const aMoment = { timeoutMs: 50 } // timing: it is to run out.

test('waits until the check says true', async () => {
  let asked = 0
  await waitUntil(() => ++asked === 3 || 'asked too little')
  expect(asked).toBe(3)
})

test('a time-out carries the last reason', async () => {
  const never = waitUntil(() => 'two are missing', aMoment)
  await expect(never).rejects.toThrow('not within 50 ms: two are missing')
})

test('a check that throws is not yet, and its message is the reason', async () => {
  const never = waitUntil(() => Promise.reject(new Error('connection refused')), aMoment)
  await expect(never).rejects.toThrow('connection refused')
})

test('a check that never answers does not outlive the time-out', async () => {
  const never = waitUntil(() => new Promise<true>(() => undefined), aMoment)
  await expect(never).rejects.toThrow('the check itself did not answer')
})

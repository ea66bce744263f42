import { expect, test } from 'vitest'
import { waitUntil } from './wait.ts'

const aMoment = { timeoutMs: 50 } // timing: meant to run out.

test('waits until the check returns true', async () => {
  let checks = 0
  await waitUntil(() => ++checks === 3 || 'too few checks')
  expect(checks).toBe(3)
})

test('a timeout carries the last reason', async () => {
  const never = waitUntil(() => 'two are missing', aMoment)
  await expect(never).rejects.toThrow('not within 50 ms: two are missing')
})

test('a check that throws counts as not yet, and its message is the reason', async () => {
  const never = waitUntil(() => Promise.reject(new Error('connection refused')), aMoment)
  await expect(never).rejects.toThrow('connection refused')
})

test('a check that never returns does not outlive the timeout', async () => {
  const never = waitUntil(() => new Promise<true>(() => undefined), aMoment)
  await expect(never).rejects.toThrow('the check itself did not answer')
})

test('a last check that is cut short does not hide why the one before it failed', async () => {
  let checks = 0
  const never = waitUntil(() => (++checks === 1 ? 'two are missing' : new Promise<true>(() => {})), aMoment)
  await expect(never).rejects.toThrow('two are missing')
})

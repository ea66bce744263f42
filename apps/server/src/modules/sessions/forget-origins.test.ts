import { expect, test } from 'vitest'
import { createOriginSweep } from './forget-origins.ts'
import type { ForgetRequest } from './sessions.store.ts'

test('[R48] a sweep goes on where the last one ended, and takes a bounded number of steps', async () => {
  const asked: ForgetRequest[] = []
  let now = 1_025
  const sessions = Array.from({ length: 30 }, (_, at) => ({ expiresAt: at + 1, sessionId: `sess_${at}` }))
  const store = {
    async forgetOrigins(request: ForgetRequest) {
      asked.push(request)
      if (request.status !== 'completed') return null
      return (
        sessions.find(
          ({ expiresAt }) => expiresAt > request.after.expiresAt && expiresAt < request.expiredBefore,
        ) ?? null
      )
    },
  }
  const sweep = createOriginSweep({ store, clock: { now: () => now }, originRetentionMs: 1_000 })
  const reached = () => asked.filter(({ status }) => status === 'completed').at(-1)?.after.expiresAt

  await sweep()
  expect([asked.length, reached()]).toEqual([22, 19])
  await sweep()
  expect(reached()).toBe(24) // The others are not due yet.
  expect(asked.every(({ expiredBefore }) => expiredBefore === 25)).toBe(true)
  // A day later from the start: some of them may have been closed late.
  now += 24 * 3_600_000
  await sweep()
  expect(reached()).toBe(19)
})

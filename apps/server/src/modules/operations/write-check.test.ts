import { expect, test } from 'vitest'
import { createWriteCheck } from './write-check.ts'

test('however many callers there are, it writes at most once in two seconds, and once a second after a failure', async () => {
  let now = 0
  let writes = 0
  let fails = false
  const check = createWriteCheck(
    async () => {
      writes++
      if (fails) throw new Error('full')
    },
    () => now,
  )
  await Promise.all(Array.from({ length: 100 }, () => check()))
  now = 1_999
  await check()
  expect(writes).toBe(1)
  now = 2_000
  fails = true
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => check()))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  now = 2_999
  await expect(check()).rejects.toThrow('full')
  expect(writes).toBe(2)
  now = 3_000
  fails = false
  await check()
  expect(writes).toBe(3)
})

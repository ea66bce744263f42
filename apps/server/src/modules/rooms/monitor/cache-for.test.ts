import { expect, test } from 'vitest'
import { cacheFor } from './cache-for.ts'

test('[RM144] what is seldom read is asked for once, however many want it, and again after a failure', async () => {
  let now = 0
  let asked = 0
  let fails = false
  const read = cacheFor({ now: () => now }, 1_000, async () => {
    const answer = ++asked
    await Promise.resolve()
    if (fails) throw new Error('away')
    return answer
  })
  const many = () => Promise.allSettled(Array.from({ length: 50 }, read))
  const answers = async () => [...new Set((await many()).map((one) => JSON.stringify(one)))]
  expect(await answers()).toEqual([JSON.stringify({ status: 'fulfilled', value: 1 })])
  now = 999
  expect(await read()).toBe(1)
  now = 1_000
  fails = true
  expect((await many()).every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked).toBe(2)
  fails = false
  expect(await read()).toBe(3)
})

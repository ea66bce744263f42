import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const noWait = async () => undefined

function failing(times: number, error: Error) {
  let asked = 0
  return async () => {
    if (asked++ < times) throw error
    return asked
  }
}

test('asks again while the service is unavailable, and not for ever', async () => {
  const unavailable = new AppError('UNAVAILABLE')
  expect(await retryWhileUnavailable(failing(3, unavailable), noWait)).toBe(4)
  await expect(retryWhileUnavailable(failing(1_000, unavailable), noWait)).rejects.toBe(unavailable)
})

test('every other failure is final', async () => {
  const broken = new Error('no such table')
  await expect(retryWhileUnavailable(failing(1, broken), noWait)).rejects.toBe(broken)
})

import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { insist } from './insist.ts'

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
  expect(await insist(failing(3, unavailable), noWait)).toBe(4)
  await expect(insist(failing(1_000, unavailable), noWait)).rejects.toBe(unavailable)
})

test('every other failure is final', async () => {
  const broken = new Error('no such table')
  await expect(insist(failing(1, broken), noWait)).rejects.toBe(broken)
})

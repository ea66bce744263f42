import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('a limited number at a time, the others in order of arrival, and beyond that a refusal', async () => {
  const inTurn = createTurns(2, 3)
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const ask = (number: number) =>
    inTurn(async () => {
      begun.push(number)
      const end = Promise.withResolvers<void>()
      ends.set(number, end)
      await end.promise
      return number
    })
  const asked = [1, 2, 3, 4, 5].map(ask)
  await expect(ask(6)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(begun).toEqual([1, 2])
  ends.get(2)?.resolve()
  expect(await asked[1]).toBe(2)
  ends.get(1)?.reject(new Error('failed'))
  await expect(asked[0]).rejects.toThrow('failed')
  expect(begun).toEqual([1, 2, 3, 4])
  for (const number of [3, 4]) ends.get(number)?.resolve()
  await Promise.all([asked[2], asked[3]])
  ends.get(5)?.resolve()
  expect(await asked[4]).toBe(5)
  const again = [7, 8, 9].map(ask)
  expect(begun).toEqual([1, 2, 3, 4, 5, 7, 8])
  for (const number of [7, 8]) ends.get(number)?.resolve()
  await Promise.all([again[0], again[1]])
  ends.get(9)?.resolve()
  await again[2]
})

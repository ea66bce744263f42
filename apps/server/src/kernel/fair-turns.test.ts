import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

test('[R40] owners take turns one at a time, and whoever has most waiting is refused first', async () => {
  const inTurn = createFairTurns(4)
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const ask = (owner: string, name: string) =>
    inTurn(owner, async () => {
      order.push(name)
      await gate.promise
    }).catch((error: { code: string }) => `${name} ${error.code}`)
  const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => ask('ada', name))
  const [ben, cleo] = [ask('ben', 'b1'), ask('cleo', 'c1')]
  expect(await Promise.all(asked.slice(3))).toEqual(['a4 UNAVAILABLE', 'a5 UNAVAILABLE', 'a6 UNAVAILABLE'])
  expect(order).toEqual(['a1'])
  gate.resolve()
  await Promise.all([...asked, ben, cleo])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  await ask('ada', 'a7')
  expect(order.at(-1)).toBe('a7')
})

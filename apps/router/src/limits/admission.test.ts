import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createTurnstile, enterInTurn } from './admission.ts'

const patient = 600_000

test('lets so many in, and the others in the order in which they came', async () => {
  const turnstile = createTurnstile({ most: 2, mostWaiting: 10, waitMs: patient })
  expect([turnstile.enter(), turnstile.enter(), turnstile.enter()]).toEqual([true, true, false])
  const order: number[] = []
  const waiting = [0, 1, 2].map((index) =>
    Promise.resolve(enterInTurn(turnstile, 'a', new EventEmitter())).then((isAdmitted) =>
      order.push(isAdmitted ? index : -1),
    ),
  )
  for (let turn = 0; turn < 3; turn++) turnstile.leave()
  await Promise.all(waiting)
  expect(order).toEqual([0, 1, 2])
  expect(turnstile.enter()).toBe(false)
  turnstile.leave()
  turnstile.leave()
  expect(turnstile.isEmpty()).toBe(true)
})

test('refuses at once when the line is full, and after a while in any case', async () => {
  const turnstile = createTurnstile({ most: 1, mostWaiting: 1, waitMs: 10 })
  turnstile.enter()
  const first = enterInTurn(turnstile, 'a', new EventEmitter())
  expect(await enterInTurn(turnstile, 'a', new EventEmitter())).toBe(false)
  expect(await first).toBe(false)
  turnstile.leave()
  expect(turnstile.isEmpty()).toBe(true)
})

test('those who leave the line get no turn, and leave nothing behind', async () => {
  const turnstile = createTurnstile({ most: 1, mostWaiting: 10, waitMs: patient })
  turnstile.enter()
  const [impatient, patientOne] = [new EventEmitter(), new EventEmitter()]
  const [left, stayed] = [enterInTurn(turnstile, 'a', impatient), enterInTurn(turnstile, 'a', patientOne)]
  impatient.emit('close')
  turnstile.leave()
  expect([await left, await stayed]).toEqual([false, true])
  for (const one of [impatient, patientOne]) expect(one.listenerCount('close')).toBe(0)
})

test('[R40] addresses take turns; when the line is full, the one with most in it loses its newest', async () => {
  const turnstile = createTurnstile({ most: 1, mostWaiting: 4, waitMs: patient })
  turnstile.enter()
  const order: string[] = []
  const waiting = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map(async (name) => {
    const isAdmitted = await enterInTurn(turnstile, name.charAt(0), new EventEmitter())
    order.push(isAdmitted ? name : `not ${name}`)
  })
  await Promise.all([waiting[2], waiting[3], waiting[4]])
  expect(order.splice(0).sort()).toEqual(['not a3', 'not a4', 'not a5'])
  for (let turn = 0; turn < 4; turn++) turnstile.leave()
  await Promise.all(waiting)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2'])
  turnstile.leave()
  expect(turnstile.isEmpty()).toBe(true)
})

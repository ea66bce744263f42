import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { acquire, createLimiter } from './limiter.ts'

const patient = 600_000

test('admits a limited number at once, and the others in the order of their arrival', async () => {
  const limiter = createLimiter({ maxActive: 2, maxQueued: 10, queueTimeoutMs: patient })
  expect([limiter.tryAcquire(), limiter.tryAcquire(), limiter.tryAcquire()]).toEqual([true, true, false])
  const order: number[] = []
  const waiting = [0, 1, 2].map((index) =>
    Promise.resolve(acquire(limiter, 'a', new EventEmitter())).then((isAdmitted) =>
      order.push(isAdmitted ? index : -1),
    ),
  )
  for (let turn = 0; turn < 3; turn++) limiter.release()
  await Promise.all(waiting)
  expect(order).toEqual([0, 1, 2])
  expect(limiter.tryAcquire()).toBe(false)
  limiter.release()
  limiter.release()
  expect(limiter.isIdle()).toBe(true)
})

test('refuses at once when the queue is full, and after a while in any case', async () => {
  const limiter = createLimiter({ maxActive: 1, maxQueued: 1, queueTimeoutMs: 10 })
  limiter.tryAcquire()
  const first = acquire(limiter, 'a', new EventEmitter())
  expect(await acquire(limiter, 'a', new EventEmitter())).toBe(false)
  expect(await first).toBe(false)
  limiter.release()
  expect(limiter.isIdle()).toBe(true)
})

test('a requester that leaves the queue is not admitted and leaves no listener behind', async () => {
  const limiter = createLimiter({ maxActive: 1, maxQueued: 10, queueTimeoutMs: patient })
  limiter.tryAcquire()
  const [impatient, patientOne] = [new EventEmitter(), new EventEmitter()]
  const [left, stayed] = [acquire(limiter, 'a', impatient), acquire(limiter, 'a', patientOne)]
  impatient.emit('close')
  limiter.release()
  expect([await left, await stayed]).toEqual([false, true])
  for (const one of [impatient, patientOne]) expect(one.listenerCount('close')).toBe(0)
})

test('[R40] addresses take turns; when the queue is full, the one with the most waiting loses its newest', async () => {
  const limiter = createLimiter({ maxActive: 1, maxQueued: 4, queueTimeoutMs: patient })
  limiter.tryAcquire()
  const order: string[] = []
  const waiting = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map(async (name) => {
    const isAdmitted = await acquire(limiter, name.charAt(0), new EventEmitter())
    order.push(isAdmitted ? name : `not ${name}`)
  })
  await Promise.all([waiting[2], waiting[3], waiting[4]])
  expect(order.splice(0).sort()).toEqual(['not a3', 'not a4', 'not a5'])
  for (let turn = 0; turn < 4; turn++) limiter.release()
  await Promise.all(waiting)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2'])
  limiter.release()
  expect(limiter.isIdle()).toBe(true)
})

import { expect, test } from 'vitest'
import { createOwnClock } from './own-clock.ts'

const hourMs = 3_600_000

/** A device whose clock is an hour slow, and on which anybody can set it. */
function device() {
  let steady = 10_000
  let wallAheadMs = 1_700_000_000_000
  const serverAheadMs = wallAheadMs + hourMs
  const own = createOwnClock({ now: () => steady + wallAheadMs }, () => steady)
  return {
    own,
    pass: (ms: number) => {
      steady += ms
    },
    set: (ms: number) => {
      wallAheadMs += ms
    },
    ask(thereMs: number, backMs: number) {
      const askedAt = steady
      steady += thereMs
      const serverTime = steady + serverAheadMs
      steady += backMs
      own.heard(askedAt, serverTime, steady)
    },
  }
}

test('[E40] the offset is off by at most what is said, however lopsided the network is', () => {
  const { own, ask } = device()
  expect(own.report()).toEqual({})
  ask(80, 10)
  const { clock } = own.report()
  expect(Math.abs((clock?.offsetMs ?? Number.NaN) - hourMs)).toBeLessThanOrEqual(clock?.errorMs ?? Number.NaN)
  expect(clock?.errorMs).toBeLessThanOrEqual(47)
  ask(5, 60)
  expect(own.report().clock?.errorMs).toBeLessThan(clock?.errorMs ?? 0)
})

test('[E40] nothing is claimed after the clock was set, until the server has been heard again', () => {
  const { own, ask, set, pass } = device()
  ask(20, 20)
  set(25 * hourMs)
  pass(1_000)
  expect(own.report()).toEqual({})
  ask(20, 20)
  const { clock } = own.report()
  expect(Math.abs((clock?.offsetMs ?? Number.NaN) + 24 * hourMs)).toBeLessThanOrEqual(clock?.errorMs ?? 0)
})

test('[E40] an answer that came before it was asked for counts for nothing', () => {
  const { own } = device()
  own.heard(500, 1_700_000_000_000, 400)
  expect(own.report()).toEqual({})
})

test('[E40] a clock that is decades off is not reported, because the report would be refused', () => {
  const { own, ask, set } = device()
  set(-1_600_000_000_000)
  ask(20, 20)
  expect(own.report()).toEqual({})
})

test('[R93] the delay of the network is the shortest round trip, also after the clock was set', () => {
  const { own, ask, set } = device()
  expect(own.networkDelayMs()).toBeUndefined()
  ask(80, 10.4)
  ask(20, 22)
  ask(300, 20)
  set(25 * hourMs)
  ask(60, 60)
  expect(own.networkDelayMs()).toBe(42)
  own.answered(500, 530)
  expect(own.networkDelayMs()).toBe(30)
  own.heard(500, 1_700_000_000_000, 400)
  expect(own.networkDelayMs()).toBe(30)
})

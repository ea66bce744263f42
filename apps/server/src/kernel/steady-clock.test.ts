import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSharedClock } from './clock.ts'
import { createSteadyClock, nextReading, type SteadyTime } from './steady-clock.ts'

const minute = 60_000
const hour = 60 * minute
const startedAt = Date.UTC(2026, 0, 1)
const atStart: SteadyTime = { time: startedAt, monotonic: 0 }

/** Reads every `everyMs` until `untilMs` have passed, from a source that is `offBy(elapsed)` off the true time. */
function run(offBy: (elapsedMs: number) => number, untilMs: number, everyMs = 1_000) {
  const notices: string[] = []
  let last = atStart
  for (let passed = everyMs; passed <= untilMs; passed += everyMs) {
    const { notice, ...next } = nextReading(last, {
      source: startedAt + passed + offBy(passed),
      monotonic: passed,
    })
    if (notice) notices.push(notice)
    last = next
  }
  return { offMs: last.time - startedAt - untilMs, notices }
}

describe('our time', () => {
  test('is the time of its source', () => {
    expect(run(() => 0, hour)).toEqual({ offMs: 0, notices: [] })
  })

  test.each([25 * hour, -hour, 2_000, -2_000])('does not follow a jump of %i ms that ends again', (jump) => {
    const { offMs, notices } = run((passed) => (passed > minute && passed < minute + 33_000 ? jump : 0), hour)
    expect({ offMs, notices }).toEqual({ offMs: 0, notices: ['jumped'] })
  })

  test('closes a small difference gradually, in either direction', () => {
    expect(run(() => 900, minute).offMs).toBeCloseTo(600)
    expect(run(() => -900, minute).offMs).toBeCloseTo(-600)
    expect(run(() => -900, hour)).toEqual({ offMs: -900, notices: [] })
  })

  test('adopts a source that stays ahead, as after a suspended machine', () => {
    expect(run(() => 8 * hour, 9 * minute).offMs).toBe(0)
    expect(run(() => 8 * hour, 11 * minute)).toEqual({ offMs: 8 * hour, notices: ['jumped', 'adopted'] })
  })

  test('never jumps back to a source that stays behind: it runs slower until they agree', () => {
    expect(run(() => -hour, 10 * minute).offMs).toBe(0)
    expect(run(() => -hour, 10 * minute + 1_000).offMs).toBeCloseTo(-10)
    const { offMs, notices } = run(() => -minute, 3 * hour)
    expect(offMs).toBeCloseTo(-minute)
    expect(notices).toEqual(['jumped', 'behind'])
  })

  test('starts doubting again after every further jump', () => {
    const { offMs, notices } = run((passed) => hour * Math.floor(passed / (9 * minute)), 2 * hour)
    expect(offMs).toBe(0)
    expect(new Set(notices)).toEqual(new Set(['jumped']))
  })

  test('never goes back, and runs at the rate of real time unless a source stayed ahead', () => {
    const step = fc.record({
      passedMs: fc.integer({ min: 0, max: 5 * minute }),
      offByMs: fc.oneof(
        fc.integer({ min: -2_000, max: 2_000 }),
        fc.integer({ min: -30 * hour, max: 30 * hour }),
      ),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let last = atStart
        for (const { passedMs, offByMs } of steps) {
          const monotonic = last.monotonic + passedMs
          const { notice, ...next } = nextReading(last, {
            source: startedAt + monotonic + offByMs,
            monotonic,
          })
          const ran = next.time - last.time
          if (notice === 'adopted') expect(ran).toBeGreaterThan(passedMs)
          else expect(Math.abs(ran - passedMs)).toBeLessThanOrEqual(passedMs * 0.01 + 0.001)
          last = next
        }
      }),
    )
  })
})

test('an erratic clock is reported at most once a minute', () => {
  const notices: unknown[] = []
  let offBy = 0
  const clock = createSteadyClock({ now: () => Date.now() + offBy }, (...notice) => notices.push(notice))
  const before = clock.now()
  for (let reading = 0; reading < 1_000; reading++) {
    offBy = (reading % 2 === 0 ? 1 : -1) * 25 * hour
    expect(clock.now()).toBeGreaterThanOrEqual(before)
  }
  expect(notices).toEqual([['jumped', expect.any(Number)]])
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(hour)
})

test('a jump of the database’s clock does not become ours', async () => {
  let offBy = 0
  const shared = await createSharedClock(async () => Date.now() + offBy)
  const clock = createSteadyClock(shared, () => undefined)
  for (const jump of [25 * hour, -hour]) {
    offBy = jump
    await shared.read()
    // timing: half an hour tells an hour's jump from none
    expect(Math.abs(shared.now() - Date.now() - jump)).toBeLessThan(hour / 2)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(hour / 2)
  }
})

test('[R27] the exact time has fractions and never goes back, and is the same time', () => {
  const clock = createSteadyClock({ now: () => Date.now() }, () => undefined)
  const times = Array.from({ length: 1_000 }, () => clock.exact())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.some((time) => !Number.isInteger(time))).toBe(true)
  const before = clock.exact()
  const now = clock.now()
  expect(now).toBeGreaterThanOrEqual(Math.floor(before))
  expect(now).toBeLessThanOrEqual(Math.ceil(clock.exact()))
})

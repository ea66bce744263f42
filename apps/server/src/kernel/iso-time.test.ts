import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../test/seed.ts'
import { createIsoTime } from './iso-time.ts'

test('times are written as Date writes them, in whatever order', () => {
  const edges = [0, 1, 9, 10, 99, 100, 999, 1_000, 59_999, 60_000, -1, -60_000, 8.64e15, -8.64e15, 0.5]
  const anyTimes = fc.array(fc.date({ noInvalidDate: true }).map(Number))
  const nearTimes = fc
    .tuple(fc.nat(), fc.array(fc.integer({ min: -90_000, max: 90_000 })))
    .map(([start, steps]) => steps.map((step) => 1e12 + 1_000 * start + step))
  fc.assert(
    fc.property(anyTimes, nearTimes, (any, near) => {
      const isoOf = createIsoTime()
      for (const at of [...any, ...near, ...edges]) expect(isoOf(at)).toBe(new Date(at).toISOString())
    }),
    seeded,
  )
  for (const no of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
    expect(() => createIsoTime()(no)).toThrow(RangeError)
})

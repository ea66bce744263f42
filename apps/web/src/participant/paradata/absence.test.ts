import { expect, test } from 'vitest'
import { absenceBefore, left, msAway, noAbsence, returned } from './absence.ts'

test('[R93] leaving the window and then the tab is leaving the page once', () => {
  const away = left(left(noAbsence, 1_000), 1_400)
  expect(away.count).toBe(1)
  const back = returned(returned(away, 3_000), 3_100)
  expect(back).toEqual({ count: 1, ms: 2_000 })
  expect(returned(left(back, 5_000), 5_500)).toEqual({ count: 2, ms: 2_500 })
})

test('[R93] a time away that lasts counts up to now', () => {
  expect(msAway(left({ count: 1, ms: 300 }, 1_000), 1_250)).toBe(550)
})

test('[R93] what was painted while nobody was there has been left once, from then on', () => {
  const away = left(noAbsence, 1_000)
  const before = absenceBefore(away, 1_600)
  const after = returned(away, 2_000)
  expect([after.count - before.count, after.ms - before.ms]).toEqual([1, 400])
  const later = absenceBefore(after, 9_000)
  expect([after.count - later.count, after.ms - later.ms]).toEqual([0, 0])
})

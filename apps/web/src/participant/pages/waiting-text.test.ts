import type { WaitingStatus } from '@atrium/contract'
import { expect, test } from 'vitest'
import { countdownText, estimateText, isCounting, leastToStart, neededText } from './waiting-text.ts'

const alone: WaitingStatus = {
  experimentId: 'exp_1',
  waiting: 1,
  needed: 4,
  neededToStart: 2,
  position: 1,
  waitedMs: 0,
  deadlineAt: 39_000,
  estimateMs: null,
  held: null,
  serverTime: 0,
}

test('[M18] says how many people are needed, not how many would fill the group', () => {
  expect(neededText(alone)).toBe('You’re in. We’re waiting for 2 more people.')
  expect(neededText({ ...alone, neededToStart: 1 })).toBe('You’re in. We’re waiting for one more person.')
  expect(neededText({ ...alone, neededToStart: 0 })).toContain('Enough people are here.')
  expect(neededText({ ...alone, needed: 0, neededToStart: 0 })).toBe('Your group is complete.')
})

test('[R68] between two parts it says that the study goes on, not that it begins', () => {
  const later = { ...alone, stage: 'talk' }
  expect(neededText(later)).toBe('The study goes on in a group. We’re waiting for 2 more people.')
  expect(neededText({ ...later, neededToStart: 0 })).toContain('The study goes on when the group is full')
  expect(neededText({ ...later, held: 'capacity' })).toContain('The study goes on as soon as')
})

test('[M19] an estimate is in words, says so where nobody can know, and never promises more than the wait lasts', () => {
  const unknown = 'We can’t say yet how long this takes.'
  expect(estimateText(120_000, 39_000)).toBe(unknown)
  expect(estimateText(120_000, 150_000)).toBe('Usually this takes about 2 minutes from here.')
  expect(estimateText(40_000, null)).toBe('Usually this takes about a minute from here.')
  expect(estimateText(9_000, 9_000)).toBe(unknown)
  expect(estimateText(0, 0)).toBe(unknown)
  expect(estimateText(4_000, null)).toBe('It should start any moment.')
  expect(estimateText(null, null)).toBe(unknown)
})

test('[RM265] a large group is told what happens at its deadline, and when', () => {
  const lobby = { ...alone, groupSize: 50, needed: 13, neededToStart: 3 }
  const [start, end, wait] = (['start', 'end', 'wait'] as const).map((atDeadline) => ({
    ...lobby,
    atDeadline,
  }))
  if (!start || !end || !wait) throw new Error('three policies')
  expect(isCounting(end)).toBe(true)
  expect(leastToStart(end)).toBe(40)
  expect(countdownText(end, 125_000)).toBe(
    'If fewer than 40 are here in 2:05, the wait ends, and this page tells you how to go on.',
  )
  expect(countdownText({ ...end, neededToStart: 13 }, 9_400)).toBe(
    'If the group is not complete in 0:10, the wait ends, and this page tells you how to go on.',
  )
  // It may start with fewer, and before, when the time of whoever came first is over.
  expect(leastToStart(start)).toBeUndefined()
  expect(countdownText(start, 60_000)).toBe(
    'In 1:00 at the latest, the study starts with those who are here, if they are enough.',
  )
  expect(countdownText(wait, 60_000)).toBe('')
  for (const one of [start, end, wait])
    expect(countdownText({ ...one, neededToStart: 0 }, 60_000)).toBe(
      'The study starts in 1:00 at the latest.',
    )
  expect(countdownText({ ...end, needed: 0, neededToStart: 0 }, 60_000)).toBe('')
  expect(countdownText(end, 0)).toBe('')
})

import type { WaitingStatus } from '@atrium/contract'
import { expect, test } from 'vitest'
import { estimateText, neededText } from './waiting-text.ts'

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
  expect(neededText(alone)).toBe('2 more people are needed.')
  expect(neededText({ ...alone, neededToStart: 1 })).toBe('One more person is needed.')
  expect(neededText({ ...alone, neededToStart: 0 })).toContain('Enough people are here.')
  expect(neededText({ ...alone, needed: 0, neededToStart: 0 })).toBe('Your group is complete.')
})

test('[M19] an estimate never says more than the clock beside it', () => {
  expect(estimateText(120_000, 39_000)).toBeNull()
  expect(estimateText(20_000, 39_000)).toBeNull()
  expect(estimateText(120_000, 150_000)).toBe('about 2 minutes')
  expect(estimateText(10_000, null)).toBe('about a minute')
  expect(estimateText(null, null)).toBeNull()
})

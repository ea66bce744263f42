import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { matchingSettingsOf } from '../matching/index.ts'
import { readsTheSame, type Standing, waitingStatusOf } from './waiting-status.ts'

const matching = { groupSize: { min: 3, max: 5 }, deadlineMs: 60_000, onDeadline: 'end_paid' as const }
const standing: Standing = {
  experimentId: 'exp_1',
  stage: null,
  position: 1,
  arrivedAt: 0,
  waiting: 1,
  settings: matchingSettingsOf(smallestDefinition({ matching })),
  recentArrivals: [-80_000, -40_000, 0],
  hasCapacity: true,
  now: 0,
}

test('[M18,W4] what fills the group, and what is enough to start it at the deadline', () => {
  expect(waitingStatusOf(standing)).toMatchObject({ needed: 4, neededToStart: 2 })
  expect(waitingStatusOf({ ...standing, waiting: 3 })).toMatchObject({ needed: 2, neededToStart: 0 })
})

test('[W4] says how large the group is, and what happens at the deadline, but not whether agents may take seats', () => {
  expect(waitingStatusOf(standing)).toMatchObject({ groupSize: 5, atDeadline: 'end' })
  const told = (['wait', 'start_short', 'fill_with_agent'] as const).map((onDeadline) => {
    const settings = matchingSettingsOf(smallestDefinition({ matching: { ...matching, onDeadline } }))
    return waitingStatusOf({ ...standing, settings }).atDeadline
  })
  expect(told).toEqual(['wait', 'start', 'start'])
})

test('[R68,W4] says which stage people wait for once they have finished one, and that they go on elsewhere at the deadline', () => {
  expect(waitingStatusOf(standing)).not.toHaveProperty('stage')
  expect(waitingStatusOf({ ...standing, stage: 'talk' })).toMatchObject({ stage: 'talk', atDeadline: 'end' })
  const told = ['alone', 'end'].map((to) => {
    const settings = matchingSettingsOf(smallestDefinition({ matching: { ...matching, onDeadline: { to } } }))
    return waitingStatusOf({ ...standing, stage: 'talk', settings }).atDeadline
  })
  expect(told).toEqual(['go_on', 'end'])
})

test('[M19,W3] the estimate ends at the deadline, and its shrinking until then is no news', () => {
  const [early, late] = [0, 21_000].map((now) => waitingStatusOf({ ...standing, now }))
  if (!early || !late) throw new Error('two were made')
  expect([early.estimateMs, late.estimateMs]).toEqual([60_000, 39_000])
  expect(readsTheSame(early, late)).toBe(true)
  const soon = waitingStatusOf({ ...standing, waiting: 4 })
  expect(soon.estimateMs).toBe(40_000)
  expect(readsTheSame(early, { ...early, estimateMs: 40_000 })).toBe(false)
})

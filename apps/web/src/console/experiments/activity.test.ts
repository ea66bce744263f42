import { expect, test } from 'vitest'
import { activityInWords, rowsOf } from './activity.ts'

const from = new Date(2026, 7, 3, 12).getTime()
const bucket = (minutes: number, joined: number, completed: number, events: number) => ({
  at: from + minutes * 60_000,
  joined,
  completed,
  events,
})
const activity = (...buckets: ReturnType<typeof bucket>[]) => ({
  from,
  to: from + 3_600_000,
  bucketMs: 60_000,
  buckets,
})

test('the chart in words sums up and names the busiest time', () => {
  const said = activityInWords(
    activity(bucket(0, 2, 0, 10), bucket(1, 1, 1, 1_500), bucket(2, 0, 0, 3)),
    'hour',
  )
  expect(said).toBe(
    'In the last hour: 3 people joined, 1 person ended, 1,513 events received; most at 12:01 (1,500 events).',
  )
})

test('a chart without events says so', () => {
  expect(activityInWords(activity(bucket(0, 0, 0, 0)), 'hour')).toBe('Nothing happened in the last hour.')
  expect(activityInWords(activity(), 'hour')).toBe('Nothing happened in the last hour.')
})

test('rows have a date if the chart spans days', () => {
  const week = { ...activity(bucket(0, 1, 0, 0)), to: from + 7 * 86_400_000 }
  expect(rowsOf(week)[0]?.when).toBe('3 Aug, 12:00')
  expect(rowsOf(activity(bucket(0, 1, 0, 0)))[0]?.when).toBe('12:00')
})

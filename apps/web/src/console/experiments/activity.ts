import type { ExperimentActivity } from '@atrium/contract'
import { counted } from '../text/numbers.ts'
import { formatMoment } from '../text/times.ts'

export const activityRanges = [
  { minutes: 60, label: '1 h', words: 'hour' },
  { minutes: 360, label: '6 h', words: '6 hours' },
  { minutes: 1_440, label: '24 h', words: '24 hours' },
  { minutes: 10_080, label: '7 d', words: '7 days' },
] as const

interface ActivityRow {
  when: string
  joined: number
  completed: number
  events: number
}

export const rowsOf = ({ from, to, buckets }: ExperimentActivity): ActivityRow[] =>
  buckets.map(({ at, joined, completed, events }) => ({
    when: formatMoment(at, to - from),
    joined,
    completed,
    events,
  }))

/** The plot in a sentence, for whoever does not see it. */
export function activityInWords({ buckets, from, to }: ExperimentActivity, range: string): string {
  const sum = (count: (bucket: (typeof buckets)[number]) => number) =>
    buckets.reduce((total, bucket) => total + count(bucket), 0)
  const events = sum((bucket) => bucket.events)
  const joined = sum((bucket) => bucket.joined)
  if (events === 0 && joined === 0) return `Nothing happened in the last ${range}.`
  const busiest = buckets.reduce((best, bucket) => (bucket.events > best.events ? bucket : best))
  return (
    `In the last ${range}: ${counted(joined, 'person', 'people')} joined, ` +
    `${counted(
      sum((bucket) => bucket.completed),
      'person',
      'people',
    )} completed, ${counted(events, 'event')} received` +
    (events > 0
      ? `; most at ${formatMoment(busiest.at, to - from)} (${counted(busiest.events, 'event')}).`
      : '.')
  )
}

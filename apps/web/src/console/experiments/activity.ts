import type { ExperimentActivity } from '@atrium/contract'
import { texts } from '../../text/console.ts'

interface ActivityRow {
  when: string
  joined: number
  completed: number
  events: number
}

export const rowsOf = ({ from, to, buckets }: ExperimentActivity): ActivityRow[] =>
  buckets.map(({ at, joined, completed, events }) => ({
    when: texts().format.moment(at, to - from),
    joined,
    completed,
    events,
  }))

/** The chart in a sentence, for people who do not see it. */
export function activityInWords({ buckets, from, to }: ExperimentActivity, range: string): string {
  const { activity, format } = texts()
  const sum = (count: (bucket: (typeof buckets)[number]) => number) =>
    buckets.reduce((total, bucket) => total + count(bucket), 0)
  const events = sum((bucket) => bucket.events)
  const joined = sum((bucket) => bucket.joined)
  if (events === 0 && joined === 0) return activity.nothing(range)
  const busiest = buckets.reduce((best, bucket) => (bucket.events > best.events ? bucket : best))
  return activity.summary({
    range,
    joined,
    completed: sum((bucket) => bucket.completed),
    events,
    busiest: events > 0 ? { at: format.moment(busiest.at, to - from), events: busiest.events } : undefined,
  })
}

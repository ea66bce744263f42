import { type AgentOutcome, agentOutcomes, type CallFigures, maxCallsCounted } from '@atrium/contract'
import type { ActivityWindow } from '../../experiments/index.ts'
import type { CallCount, CallSums } from '../turns.store.ts'

/** Nothing valid came of these. `refused` is no failure: the room had moved on. */
const failures: ReadonlySet<AgentOutcome> = new Set(['fallback', 'timeout', 'budget'])

/** The figures of one agent, or of a credential (''), including empty buckets, which the database leaves out. */
export function figuresOf(sums: CallSums, agentId: string, window: ActivityWindow): CallFigures {
  const { from, to, bucketMs } = window
  const counts = sums.counts.filter((one) => one.agentId === agentId)
  const latencies = new Map(
    sums.latencies.flatMap(({ bucket, p50, p95, ...one }) =>
      one.agentId === agentId ? [[bucket, { p50, p95 }] as const] : [],
    ),
  )
  const byBucket = Map.groupBy(counts, ({ bucket }) => bucket)
  const error = sums.errors.find((one) => one.agentId === agentId)
  const outcomes = Object.fromEntries(
    agentOutcomes.map((name) => [name, sum(counts, (one) => (one.outcome === name ? one.calls : 0))]),
  ) as CallFigures['outcomes']
  const all = totals(counts)
  return {
    ...all,
    latencyMs: latencies.get(null) ?? null,
    turns: all.calls - outcomes.retried,
    outcomes,
    lastError: error ? { at: error.at, outcome: error.outcome, message: error.message } : null,
    buckets: Array.from({ length: (to - from) / bucketMs }, (_, bucket) => ({
      at: from + bucket * bucketMs,
      ...totals(byBucket.get(bucket) ?? []),
      latencyMs: latencies.get(bucket) ?? null,
    })),
  }
}

const totals = (counts: readonly CallCount[]) => ({
  calls: sum(counts, ({ calls }) => calls),
  failures: sum(counts, ({ outcome, calls }) => (failures.has(outcome) ? calls : 0)),
  promptTokens: sum(counts, ({ promptTokens }) => promptTokens),
  completionTokens: sum(counts, ({ completionTokens }) => completionTokens),
  money: sum(counts, ({ money }) => money),
})

const sum = (counts: readonly CallCount[], of: (count: CallCount) => number): number =>
  counts.reduce((total, count) => total + of(count), 0)

/** As many calls as are counted at most: there are probably more. */
export const isPartial = ({ counts }: CallSums): boolean =>
  sum(counts, ({ calls }) => calls) >= maxCallsCounted

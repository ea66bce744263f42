import type { ActivityWindow } from '../../src/modules/experiments/index.ts'
import { responseTimeBoundsMs } from '../../src/modules/experiments/tallies.plan.ts'
import type { Engine } from './engines.ts'

export interface CountedByHand {
  joined: number[]
  completed: number[]
  /** When each event of a person was received. */
  events: number[]
  agentEvents: number
  gaps: number
  outcomes: Record<string, number>
}

/** The figures of an experiment, counted row by row from what is stored, as nobody does any more. */
export async function countByHand({ rows }: Engine, experimentId: string): Promise<CountedByHand> {
  const numbers = async (column: string, from: string) =>
    (await rows(`select ${column} as value ${from}`)).map(({ value }) => Number(value))
  const ofPeople = `from participants p join sessions s on s.participant_id = p.participant_id
    join event_streams t on t.session_id = s.session_id`
  const outcomes: Record<string, number> = {}
  for (const { outcome } of await rows(
    `select outcome from participants where experiment_id = '${experimentId}'`,
  ))
    if (outcome !== null) outcomes[String(outcome)] = (outcomes[String(outcome)] ?? 0) + 1
  return {
    joined: await numbers('joined_at', `from participants where experiment_id = '${experimentId}'`),
    completed: await numbers(
      's.ended_at',
      `${ofPeople} where p.experiment_id = '${experimentId}' and s.status = 'completed'`,
    ),
    events: await numbers(
      'e.received_at',
      `${ofPeople} join events e on e.stream_no = t.stream_no where p.experiment_id = '${experimentId}'`,
    ),
    agentEvents: (
      await numbers(
        'e.seq',
        `from agent_participants a join rooms r on r.room_id = a.room_id
        join event_streams t on t.session_id = a.session_id join events e on e.stream_no = t.stream_no
        where a.experiment_id = '${experimentId}' and r.pilot_id is null`,
      )
    ).length,
    gaps: (
      await numbers(
        's.missing_events',
        `${ofPeople} where p.experiment_id = '${experimentId}' and s.missing_events > 0`,
      )
    ).length,
    outcomes,
  }
}

/** What events say about states and response times, as far as their streams are counted, by what they are about. */
export async function tallyByHand({ rows }: Engine, experimentId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const add = (...about: unknown[]) => {
    const key = about.join(' ')
    counts[key] = (counts[key] ?? 0) + 1
  }
  for (const row of await rows(`select e.* from participants p
    join sessions s on s.participant_id = p.participant_id
    join event_streams t on t.session_id = s.session_id
    join events e on e.stream_no = t.stream_no and e.seq <= t.counted_seq
    where p.experiment_id = '${experimentId}' and e.flags in ('', 'implausible_time')`)) {
    const { responseTime, fromState, toState } = JSON.parse(String(row.data))
    const isRoom = row.room_seq !== null
    const origin = isRoom ? 'room' : 'page'
    if (row.type === 'component_response' && responseTime !== undefined)
      add(
        'response',
        origin,
        row.state_id,
        row.component_id,
        responseTimeBoundsMs.filter((bound) => bound <= responseTime).length,
      )
    if (row.type === 'state_transition') {
      add('entered', origin, toState, '', 0)
      if (fromState) add('passed', origin, fromState, '', 0)
    }
    if (isRoom && ['finished', 'left', 'removed'].includes(String(row.type)))
      add(row.visit === null ? 'passed' : 'stopped', origin, fromState, '', 0)
  }
  return counts
}

/** How many of these times are in each bucket; empty buckets are left out. */
export function inBuckets(times: readonly number[], { from, to, bucketMs }: ActivityWindow) {
  const buckets: Record<number, number> = {}
  for (const at of times) {
    const bucket = Math.floor((at - from) / bucketMs)
    if (at >= from && at < to) buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  return buckets
}

import type { EventRow, RoomEventRow } from '../../../modules/events/append.plan.ts'
import { type Delta, type DeltaKind, eventDeltas } from '../../../modules/experiments/figures.plan.ts'
import { type Tally, talliesOf, writeTallies } from '../../../modules/experiments/tallies.plan.ts'
import { inserterOf } from '../row-set.ts'
import type { Sql } from '../tables.ts'

export const deltaColumns = {
  experiment_id: 'text',
  kind: 'text',
  at: 'bigint',
  count: 'integer',
  tallies: 'text',
} as const

/**
 * Whose figures the events of a stream belong to: people's, those of agents that play with them, or nobody's (pilots).
 */
export type StreamKind = 'people' | 'agents' | 'pilots'

export const deltaKindOf: Record<StreamKind, DeltaKind | null> = {
  people: 'events',
  agents: 'agent_events',
  pilots: null,
}

/** As it is read under the stream's lock. */
export interface CountedStreamRow {
  last_seq: number
  counted_seq: number
  experiment_id: string | null
  kind: string | null
}

export interface StreamFigures {
  experimentId: string
  kind: StreamKind
}

/**
 * Undefined if the stream has events that nobody has counted yet, because an older server has stored them: whatever
 * follows is counted with them later, so that `counted_seq` is always the end of what is counted.
 */
export const figuresOf = (row: CountedStreamRow): StreamFigures | undefined =>
  row.experiment_id === null || row.counted_seq < row.last_seq
    ? undefined
    : { experimentId: row.experiment_id, kind: row.kind as StreamKind }

/**
 * Only inserts: a row for each experiment with its count would be locked by every instance at every commit, so that they
 * would all commit in turn.
 */
export function createDeltaWriter(engine: Sql['engine']) {
  const insert = inserterOf(engine, 'figure_deltas', deltaColumns)
  return async (db: Sql['db'], deltas: readonly Delta[]): Promise<void> => {
    if (deltas.length === 0) return
    await insert(db, deltas.map(asDeltaRow))
  }
}

export const asDeltaRow = ({ experimentId, kind, at, count, tallies }: Delta) => ({
  experiment_id: experimentId,
  kind,
  at,
  count,
  tallies: writeTallies(tallies),
})

type StoredRow = EventRow | RoomEventRow

/** What the rows of a group change in the figures. */
export function deltasOf(rows: readonly StoredRow[], figures: ReadonlyMap<number, StreamFigures>): Delta[] {
  return eventDeltas(
    runsIn(rows).flatMap(({ streamNo, at, events }) => {
      const stream = figures.get(streamNo)
      const kind = stream && deltaKindOf[stream.kind]
      if (!kind) return []
      const tallies = stream.kind === 'people' ? events.flatMap(talliesIn) : []
      return [{ experimentId: stream.experimentId, kind, at, count: events.length, tallies }]
    }),
  )
}

const talliesIn = (row: StoredRow): Tally[] =>
  talliesOf('roomSeq' in row ? row : { ...row, roomSeq: null, visit: null })

/** The events of a batch follow one another. */
function runsIn(rows: readonly StoredRow[]) {
  const runs: { streamNo: number; at: number; events: StoredRow[] }[] = []
  let last: (typeof runs)[number] | undefined
  for (const row of rows) {
    if (last?.streamNo !== row.streamNo || last.at !== row.receivedAt) {
      last = { streamNo: row.streamNo, at: row.receivedAt, events: [] }
      runs.push(last)
    }
    last.events.push(row)
  }
  return runs
}

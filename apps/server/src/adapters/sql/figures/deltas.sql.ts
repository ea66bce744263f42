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
  bytes: 'bigint',
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

export const asDeltaRow = ({ experimentId, kind, at, count, tallies, bytes }: Delta) => ({
  experiment_id: experimentId,
  kind,
  at,
  count,
  tallies: writeTallies(tallies),
  bytes,
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
      return [{ experimentId: stream.experimentId, kind, at, count: events.length, tallies, bytes: 0 }]
    }),
  )
}

/** What the streams of a group have grown by, added to the changes of their experiments. */
export function withBytes(
  deltas: readonly Delta[],
  bytes: ReadonlyMap<number, number>,
  figures: ReadonlyMap<number, StreamFigures>,
): Delta[] {
  const grown = new Map<string, number>()
  for (const [streamNo, added] of bytes) {
    const stream = figures.get(streamNo)
    // Nobody's figures are those of pilots, which researchers start and limits bound.
    if (stream && deltaKindOf[stream.kind])
      grown.set(stream.experimentId, (grown.get(stream.experimentId) ?? 0) + added)
  }
  const changed = deltas.map((delta) => {
    const added = grown.get(delta.experimentId) ?? 0
    grown.delete(delta.experimentId)
    return added === 0 ? delta : { ...delta, bytes: delta.bytes + added }
  })
  return [...changed, ...[...grown].map(([experimentId, added]) => byteDelta(experimentId, added))]
}

/** A change that no event comes with. */
export const byteDelta = (experimentId: string, bytes: number): Delta => ({
  experimentId,
  kind: 'bytes',
  at: 0,
  count: 0,
  revision: null,
  outcome: null,
  tallies: [],
  bytes,
})

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

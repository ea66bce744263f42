import { sql } from 'kysely'
import { type Tally, talliedTypes, talliesOf } from '../../../modules/experiments/tallies.plan.ts'
import { overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'

/** Events of a stream after `seen`, up to `upTo`. */
export interface StreamPart {
  stream_no: number
  seen: number
  upTo: number
}

interface TalliedRow {
  stream_no: number
  type: string
  state_id: string | null
  component_id: string | null
  data: string
  flags: string
  room_seq: number | null
  visit: number | null
}

/**
 * The tallies of stored events, by stream. Stream by stream, written so that the planner has no choice: without statistics
 * PostgreSQL read the whole table.
 */
export function talliesReader(engine: Sql['engine']) {
  const types = sql.join(talliedTypes.map((type) => sql.lit(type)))
  const range = sql`stream_no = part.stream_no and seq > part.seen and seq <= ${sql.ref('part.upTo')}`
  const columns = sql`type, state_id, component_id, data, flags, room_seq, visit`
  const theirEvents =
    engine === 'postgres'
      ? sql`lateral (select ${columns} from events where ${range} offset 0) as e`
      : sql`events as e on e.${range}`
  const select = overRows(
    engine,
    'part',
    { stream_no: 'integer', seen: 'integer', upTo: 'integer' },
    (part) => sql<TalliedRow>`select part.stream_no as stream_no, ${columns}
      from ${part} cross join ${theirEvents} where e.type in (${types})`,
  )
  return async (db: Sql['db'], parts: readonly StreamPart[]): Promise<Map<number, Tally[]>> => {
    const byStream = Map.groupBy(await select(db, parts), (row) => row.stream_no)
    return new Map([...byStream].map(([streamNo, rows]) => [streamNo, rows.flatMap(talliesIn)]))
  }
}

const talliesIn = (row: TalliedRow): Tally[] =>
  talliesOf({
    type: row.type,
    stateId: row.state_id,
    componentId: row.component_id,
    data: row.data,
    flags: row.flags,
    roomSeq: row.room_seq,
    visit: row.visit,
  })

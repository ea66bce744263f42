import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { rowSet } from '../row-set.ts'
import type { Sql, Tables } from '../tables.ts'

/** Approximate size of a line without `data` and `extra`. */
const bytesPerLine = 450

/** Events of a stream: those after `seen`, up to and with `upTo`. */
export interface EventRange {
  streamNo: number
  seen: number
  upTo: number
}

type RangeSql<Result> = (ranges: readonly EventRange[]) => Promise<Result[]>

interface RangeStatements {
  measure: RangeSql<{ events: number; bytes: number | null }>
  read: RangeSql<Tables['events']>
}

/**
 * Reads events of many streams at once. Their sizes are asked for first, which neither engine reads a text for: a running
 * sum beside the rows themselves took PostgreSQL several times as long as the rows.
 */
export function createRangeReader(store: Sql) {
  const prepared = new Map<string, RangeStatements>()

  function statementsFor(types: readonly string[] | undefined): RangeStatements {
    const key = types?.join(' ') ?? ''
    const known = prepared.get(key)
    if (known) return known
    const statements = rangeStatements(store, types)
    prepared.set(key, statements)
    return statements
  }

  return (types: readonly string[] | undefined) => {
    const { measure, read } = statementsFor(types)

    async function bytesIn(ranges: readonly EventRange[]): Promise<number> {
      const [sizes] = await measure(ranges)
      return (sizes?.bytes ?? 0) + bytesPerLine * (sizes?.events ?? 0)
    }

    return {
      /** The first of them that fit, the last one perhaps in part; a single event always does. */
      async fit<Range extends EventRange>(
        ranges: readonly Range[],
        roomBytes: number,
      ): Promise<{ fitting: Range[]; bytes: number }> {
        let fitting = [...ranges]
        for (;;) {
          const count = countIn(fitting)
          const bytes = count === 0 ? 0 : await bytesIn(fitting)
          if (count <= 1 || bytes <= roomBytes) return { fitting, bytes }
          fitting = firstOf(fitting, Math.max(1, Math.floor((count * roomBytes) / bytes)))
        }
      },
      /** By stream, in order. */
      async read(ranges: readonly EventRange[]): Promise<Map<number, Tables['events'][]>> {
        if (countIn(ranges) === 0) return new Map()
        const byStream = Map.groupBy(await read(ranges), (row) => row.stream_no)
        for (const rows of byStream.values()) rows.sort((one, other) => one.seq - other.seq)
        return byStream
      },
    }
  }
}

export const countIn = (ranges: readonly EventRange[]): number =>
  ranges.reduce((sum, { seen, upTo }) => sum + upTo - seen, 0)

function firstOf<Range extends EventRange>(ranges: readonly Range[], count: number): Range[] {
  const first: Range[] = []
  let left = count
  for (const range of ranges) {
    if (left <= 0) break
    const upTo = Math.min(range.upTo, range.seen + left)
    first.push({ ...range, upTo })
    left -= upTo - range.seen
  }
  return first
}

/** Compiled once: their only parameter is the list of ranges. Stream by stream, written so that the planner has no choice. */
function rangeStatements({ engine, db }: Sql, types: readonly string[] | undefined): RangeStatements {
  const ofTypes = types ? sql`and type in (${sql.join(types.map((type) => sql.lit(type)))})` : sql``
  const range = sql`stream_no = part.stream_no and seq > part.seen and seq <= part.up_to ${ofTypes}`
  const theirs = (columns: RawBuilder<unknown>) =>
    engine === 'postgres'
      ? sql`lateral (select ${columns} from events where ${range} offset 0) as e`
      : sql`events as e on e.${range}`
  const sized = sql`octet_length(e.data) + coalesce(octet_length(e.extra), 0)`
  const over = <Result>(write: (parts: RawBuilder<unknown>) => RawBuilder<Result>): RangeSql<Result> => {
    const columns = { stream_no: 'integer', seen: 'integer', up_to: 'integer' } as const
    const text = write(rowSet(engine, 'part', columns, [])).compile(db).sql
    return async (ranges) => {
      const parts = ranges
        .filter(({ seen, upTo }) => seen < upTo)
        .map(({ streamNo, seen, upTo }) => ({ stream_no: streamNo, seen, up_to: upTo }))
      return (await db.executeQuery<Result>(CompiledQuery.raw(text, [JSON.stringify(parts)]))).rows
    }
  }
  return {
    measure: over(
      (part) => sql<{ events: number; bytes: number | null }>`
        select count(*) as events, sum(${sized}) as bytes from ${part} cross join ${theirs(sql`data, extra`)}`,
    ),
    read:
      engine === 'postgres'
        ? asOneText((all) =>
            over((part) => sql<OneText>`select ${all} as text from ${part} cross join ${theirs(sql`*`)}`),
          )
        : over((part) => sql<Tables['events']>`select e.* from ${part} cross join ${theirs(sql`*`)}`),
  }
}

interface OneText {
  /** Null without rows. */
  text: string | null
}

/**
 * All rows in one text. The driver takes PostgreSQL's answer apart cell by cell, in the thread that serves requests: that
 * was a quarter of the work of an export.
 */
function asOneText(prepare: (all: RawBuilder<unknown>) => RangeSql<OneText>): RangeSql<Tables['events']> {
  const run =
    prepare(sql`json_agg(json_build_array(e.stream_no, e.seq, e.event_id, e.type, e.state_id, e.component_id,
    e.timestamp, e.received_at, e.data, e.flags, e.extra, e.room_seq, e.round, e.visit))::text`)
  return async (ranges) => {
    const [answer] = await run(ranges)
    return JSON.parse(answer?.text ?? '[]').map(rowOf)
  }
}

type EventCells = [
  number,
  number,
  string | null,
  string,
  string | null,
  string | null,
  number,
  number,
  string,
  string,
  string | null,
  number | null,
  number | null,
  number | null,
]

const rowOf = (cells: EventCells): Tables['events'] => ({
  stream_no: cells[0],
  seq: cells[1],
  event_id: cells[2],
  type: cells[3],
  state_id: cells[4],
  component_id: cells[5],
  timestamp: cells[6],
  received_at: cells[7],
  data: cells[8],
  flags: cells[9],
  extra: cells[10],
  room_seq: cells[11],
  round: cells[12],
  visit: cells[13],
})

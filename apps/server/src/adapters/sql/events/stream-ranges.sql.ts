import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { rowSet } from '../row-set.ts'
import type { Sql, Tables } from '../tables.ts'
import { type EventColumns, eventColumns, eventsInColumns } from './event-columns.sql.ts'
import { bytesPerPage, countOf, type EventRange, type Measured } from './stream-plans.ts'

/** Approximate size of a line without `data` and `extra`. */
const bytesPerLine = 450

type RangeSql<Result> = (ranges: readonly EventRange[]) => Promise<Result[]>

interface RangeStatements {
  measure: RangeSql<{ part: number; bytes: number | null }>
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

    /** Their sizes; a range that is too large for a page is cut further, unless it is a single event. */
    async function measured<Range extends EventRange>(ranges: readonly Range[]): Promise<Measured<Range>[]> {
      const sizes = ranges.some(countOf) ? await measure(ranges) : []
      const bytesOf = new Map(sizes.map(({ part, bytes }) => [part, bytes ?? 0]))
      const whole = ranges.map((range, part) => ({ range, bytes: bytesOf.get(part) ?? 0 }))
      const tooLarge = whole.filter(isTooLarge)
      if (tooLarge.length === 0) return whole
      const cut = Map.groupBy(await measured(tooLarge.flatMap(cutUp)), ({ range }) => range.streamNo)
      return whole.flatMap((one) => (isTooLarge(one) ? within(one.range, cut.get(one.range.streamNo)) : one))
    }

    return {
      measure: measured,
      /** By stream, in order. */
      async read(ranges: readonly EventRange[]): Promise<Map<number, Tables['events'][]>> {
        if (!ranges.some(countOf)) return new Map()
        const byStream = Map.groupBy(await read(ranges), (row) => row.stream_no)
        for (const rows of byStream.values()) rows.sort((one, other) => one.seq - other.seq)
        return byStream
      },
    }
  }
}

const isTooLarge = ({ range, bytes }: Measured<EventRange>): boolean =>
  bytes > bytesPerPage && countOf(range) > 1

/** Smaller than on average they would have to be: some are larger than others. */
function cutUp<Range extends EventRange>({ range, bytes }: Measured<Range>): Range[] {
  const events = Math.max(1, Math.floor((countOf(range) * bytesPerPage) / (2 * bytes)))
  const parts: Range[] = []
  for (let { seen } = range; seen < range.upTo; seen += events)
    parts.push({ ...range, seen, upTo: Math.min(range.upTo, seen + events) })
  return parts
}

const within = <Range extends EventRange>(whole: Range, parts: readonly Measured<Range>[] = []) =>
  parts.filter(({ range }) => range.seen >= whole.seen && range.upTo <= whole.upTo)

/** Compiled once: their only parameter is the list of ranges. Stream by stream, written so that the planner has no choice. */
function rangeStatements({ engine, db }: Sql, types: readonly string[] | undefined): RangeStatements {
  const ofTypes = types ? sql`and type in (${sql.join(types.map((type) => sql.lit(type)))})` : sql``
  const range = sql`stream_no = part.stream_no and seq > part.seen and seq <= part.up_to ${ofTypes}`
  const columns = { part: 'integer', stream_no: 'integer', seen: 'integer', up_to: 'integer' } as const
  const over = <Result>(write: (parts: RawBuilder<unknown>) => RawBuilder<Result>): RangeSql<Result> => {
    const text = write(rowSet(engine, 'part', columns, [])).compile(db).sql
    return async (ranges) => {
      const parts = ranges
        .map(({ streamNo, seen, upTo }, part) => ({ part, stream_no: streamNo, seen, up_to: upTo }))
        .filter(({ seen, up_to }) => seen < up_to)
      return (await db.executeQuery<Result>(CompiledQuery.raw(text, [JSON.stringify(parts)]))).rows
    }
  }
  const size = sql`${sql.lit(bytesPerLine)} + octet_length(data) + coalesce(octet_length(extra), 0)`
  const measure = over(
    (part) => sql<{ part: number; bytes: number | null }>`
      select part.part, (select sum(${size}) from events where ${range}) as bytes from ${part}`,
  )
  if (engine === 'sqlite')
    return {
      measure,
      read: over(
        (part) => sql<Tables['events']>`select e.* from ${part} cross join events as e on e.${range}`,
      ),
    }
  const inColumns = over(
    (part) => sql<EventColumns>`
      select ${eventColumns} from ${part} cross join lateral (select * from events where ${range} offset 0) as e`,
  )
  return { measure, read: async (ranges) => (await inColumns(ranges)).flatMap(eventsInColumns) }
}

import type { Tables } from '../tables.ts'
import type { ExportedStream, Stay } from './exported-streams.sql.ts'

type Row = Tables['events']

/** R68: events in order, cut where their participant went from one room to another, each with what was so in that room. */
export function byStay(
  stream: ExportedStream,
  rows: readonly Row[],
): { stream: ExportedStream; rows: readonly Row[] }[] {
  const { stays } = stream
  if (!stays) return [{ stream, rows }]
  const parts: { stay: Stay | undefined; rows: Row[] }[] = []
  for (const row of rows) {
    const stay = stayOf(row, stays)
    const last = parts.at(-1)
    if (last?.stay === stay) last?.rows.push(row)
    else parts.push({ stay, rows: [row] })
  }
  if (parts.length === 0) return [{ stream, rows }]
  return parts.map(({ stay, rows: some }) => ({
    stream: stay ? { ...stream, ...placeOf(stay) } : stream,
    rows: some,
  }))
}

const placeOf = ({ roomId, stage, condition, role, alias }: Stay) => ({
  roomId,
  stage,
  condition,
  role,
  alias,
})

/** What a page has sent belongs to the room that its participant was in, or waited for, when it arrived. */
const stayOf = (row: Row, stays: readonly Stay[]): Stay | undefined =>
  row.room_seq === null
    ? stays.find(({ until }) => until === null || row.received_at <= until)
    : stays.find(({ stay }) => stay === (row.stay ?? 0))

import type { ExportedSession, ExportStore, SessionPart, StoredEvent } from '../exports.store.ts'
import { dataOf, markOf, numberIn, originOf, type Row, type TableRows, textIn } from './row.ts'

interface Walk {
  participantId: string
  roomId: string | null
  /** Whom they are joined with, by alias. */
  open: Map<string, Row>
}

/** D49: an edge ends with the record that does not name it any more, so a row is complete by then, or when there is no more of its participant. */
export function edgeRows(store: Pick<ExportStore, 'aliases'>): TableRows {
  let walk: Walk | undefined

  function endAll(): Row[] {
    const rows = [...(walk?.open.values() ?? [])]
    walk?.open.clear()
    return rows
  }

  function change({ open }: Walk, event: StoredEvent, session: ExportedSession): Row[] {
    const { seat, neighbours } = dataOf(event)
    const named = new Map(higherThan(numberIn(seat) ?? 0, neighbours))
    const ended = [...open].flatMap(([alias, row]) => (named.has(alias) ? [] : [{ ...row, ...endOf(event) }]))
    for (const alias of open.keys()) if (!named.has(alias)) open.delete(alias)
    for (const [neighbourAlias, neighbourSeat] of named) {
      if (open.has(neighbourAlias)) continue
      open.set(neighbourAlias, {
        participantId: session.participantId,
        revision: session.revision,
        roomId: session.roomId,
        condition: session.condition,
        alias: session.alias,
        seat: numberIn(seat),
        neighbourAlias,
        neighbourSeat,
        ...beginningOf(event),
        ...markOf(session),
      })
    }
    return ended
  }

  function rowsOfPart({ session, events }: SessionPart): Row[] {
    const { participantId, roomId } = session
    const isOther = walk?.participantId !== participantId || walk.roomId !== roomId
    const rows = isOther ? endAll() : []
    const current = isOther || !walk ? { participantId, roomId, open: new Map() } : walk
    walk = current
    return [
      ...rows,
      ...events.flatMap((event) => (originOf(event) === 'room' ? change(current, event, session) : [])),
    ]
  }

  return {
    types: ['neighbours'],
    async rowsOf(parts, isLast) {
      const rows = [...parts.flatMap(rowsOfPart), ...(isLast ? endAll() : [])]
      const rooms = new Set(rows.flatMap(({ roomId }) => (typeof roomId === 'string' ? [roomId] : [])))
      const members = rooms.size === 0 ? [] : await store.aliases([...rooms])
      const ids = new Map(members.map((one) => [`${one.roomId} ${one.alias}`, one.participantId]))
      return rows.map((row) => ({ ...row, neighbourId: ids.get(`${row.roomId} ${row.neighbourAlias}`) }))
    },
  }
}

/** The other ends, each edge once. */
function higherThan(own: number, neighbours: unknown): [alias: string, seat: number][] {
  if (!Array.isArray(neighbours)) return []
  return neighbours.flatMap((one): [string, number][] => {
    const { alias, seat } = Object(one)
    const [name, number] = [textIn(alias), numberIn(seat)]
    return name !== null && number !== null && number > own ? [[name, number]] : []
  })
}

const beginningOf = ({ serverTime, stateId, round, visit }: StoredEvent) => ({
  fromTime: serverTime,
  fromStateId: stateId,
  fromRound: round,
  fromVisit: visit,
})

const endOf = ({ serverTime, stateId, round, visit }: StoredEvent) => ({
  untilTime: serverTime,
  untilStateId: stateId,
  untilRound: round,
  untilVisit: visit,
})

import { areEqual, type Value } from '../flow/index.ts'
import type { Seat } from './room-state.ts'
import { type ChangeCause, type ChangesRow, placeOf, record, type Turn } from './turn.ts'

/** A longer value was sent or worked out from what was sent, and all of that is in the record already. */
const longestValue = 8_192
/** About what a change takes beside its value. */
const charactersPerChange = 60
const usualCharacters = 262_144
const charactersPerSeat = 1_024

export interface VariableWrite {
  variable: string
  value: Value
  cause: ChangeCause
}

/**
 * R54: what a variable became, where and why. Of a participant's own variable in their own record; of the room's once, in
 * the record of `keeper`: a row for everyone in a lecture would be a thousand rows a change.
 */
export function recordChange(turn: Turn, whose: Seat | 'room', keeper: Seat, write: VariableWrite): void {
  const { data } = rowFor(turn, whose, keeper)
  const { variable, cause, value } = write
  const length = lengthOf(value, longestValue)
  const isShort = length <= longestValue
  turn.variableRecord.charactersWritten += charactersPerChange + (isShort ? length : 0)
  if (isFull(turn)) data.omitted = (data.omitted ?? 0) + 1
  else data.changes.push(isShort ? { variable, cause, value } : { variable, cause, length })
}

const isFull = ({ room, variableRecord }: Turn): boolean =>
  variableRecord.charactersWritten > usualCharacters + room.seats.length * charactersPerSeat

/** The values at the start. A thousand people with a thousand variables each are not looked through for nothing. */
export function recordInitial(
  turn: Turn,
  whose: Seat | 'room',
  keeper: Seat,
  variables: Readonly<Record<string, Value>>,
): void {
  const names = Object.keys(variables)
  for (const [index, variable] of names.entries()) {
    if (isFull(turn)) {
      const { data } = rowFor(turn, whose, keeper)
      data.omitted = (data.omitted ?? 0) + names.length - index
      return
    }
    recordChange(turn, whose, keeper, { variable, value: variables[variable] ?? null, cause: 'initial' })
  }
}

/** One row for all that changes in one place by one action. */
function rowFor(turn: Turn, whose: Seat | 'room', keeper: Seat): ChangesRow {
  const { stateId, visit } = placeOf(turn, keeper)
  const known = turn.variableRecord.rows.get(whose)
  if (known?.row.participantId === keeper.participantId && known.row.visit === visit) return known
  const isRoomWide = whose === 'room'
  const data = { scope: isRoomWide ? 'room' : 'participant', changes: [] }
  record(turn, keeper, 'variables_changed', { stateId, data, ...(isRoomWide && { isRoomWide }) })
  const row = turn.records.at(-1)
  if (!row) throw new Error('a row that was just written is gone')
  const begun = { row, data }
  turn.variableRecord.rows.set(whose, begun)
  return begun
}

/** Whose record takes what concerns the room: theirs who acted, else of somebody who is there. */
export function keeperAmong(turn: Turn, seats: readonly Seat[]): Seat | undefined {
  const people = seats.filter(({ status }) => status !== 'agent')
  return (
    people.find(({ participantId }) => participantId === turn.actorId) ??
    people.find(({ presence }) => presence.kind === 'connected') ??
    people[0]
  )
}

export const isSameValue = (turn: Turn, was: Value | undefined, is: Value): boolean =>
  was === is || (was !== undefined && areEqual(was, is, turn.variableRecord.comparing))

/** About as long as its JSON is; more than `most` as soon as that is certain. */
function lengthOf(value: Value, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  let length = 2
  for (const [key, item] of Object.entries(value)) {
    if (length > most) return length
    length += 1 + (Array.isArray(value) ? 0 : key.length + 3) + lengthOf(item, most - length)
  }
  return length
}

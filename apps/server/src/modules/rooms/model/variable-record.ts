import { areEqual, draws, type Value } from '@atrium/expressions'
import { isPerson } from './agents-in-room.ts'
import type { Seat } from './room-state.ts'
import { type ChangeCause, type ChangesRow, record, type Turn, visitOf } from './turn.ts'

/** Longer values were sent, or computed from values that were, and those are in the record already. */
const longestValue = 8_192
/** Roughly what a change takes in addition to its value. */
const charactersPerChange = 60
const usualCharacters = 262_144
const charactersPerSeat = 1_024

export interface VariableWrite {
  variable: string
  value: Value
  cause: ChangeCause
}

/**
 * R54: the new value of a variable, where and why it changed. A participant's own variable goes into their own record; a
 * room variable goes once into the record of `keeper`, since a row for everyone in a lecture would be a thousand per change.
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

/** All values that somebody begins with. Stops when the record is full: there may be a thousand people with a thousand variables. */
export function recordInitial(
  turn: Turn,
  whose: Seat | 'room',
  keeper: Seat,
  variables: Readonly<Record<string, Value>>,
  cause: 'initial' | 'inherited' = 'initial',
): void {
  const names = Object.keys(variables)
  for (const [index, variable] of names.entries()) {
    if (isFull(turn)) {
      const { data } = rowFor(turn, whose, keeper)
      data.omitted = (data.omitted ?? 0) + names.length - index
      return
    }
    const expression = cause === 'initial' && turn.blueprint.variables.get(variable)?.initialExpression
    const isDrawn = expression && draws(expression.root)
    const value = variables[variable] ?? null
    recordChange(turn, whose, keeper, { variable, value, cause: isDrawn ? 'draw' : cause })
  }
}

/** All changes of one action in one visit share a row. */
function rowFor(turn: Turn, whose: Seat | 'room', keeper: Seat): ChangesRow {
  const { stateId, visit } = visitOf(turn, keeper)
  const known = turn.variableRecord.rows.get(whose)
  if (known?.row.participantId === keeper.participantId && known.row.visit === visit) return known
  const data = { scope: whose === 'room' ? 'room' : 'participant', changes: [] }
  record(turn, keeper, 'variables_changed', { stateId, data })
  const row = turn.records.at(-1)
  if (!row) throw new Error('the row that was just written is missing')
  const begun = { row, data }
  turn.variableRecord.rows.set(whose, begun)
  return begun
}

/**
 * Whose record takes what concerns the room: the participant who acted, else somebody who is connected. Nobody without
 * consent (RM97).
 */
export function keeperAmong(turn: Turn, seats: readonly Seat[]): Seat | undefined {
  const playing = seats.filter(({ status, outcome }) => status !== 'agent' && outcome !== 'NO_CONSENT')
  // Only a pilot has nobody but agents.
  const people = playing.some(isPerson) ? playing.filter(isPerson) : playing
  return (
    people.find(({ participantId }) => participantId === turn.actorId) ??
    people.find(({ presence }) => presence.kind === 'connected') ??
    people[0]
  )
}

export const isSameValue = (turn: Turn, was: Value | undefined, is: Value): boolean =>
  was === is || (was !== undefined && areEqual(was, is, turn.variableRecord.comparing))

/** Roughly the length of its JSON; stops counting once it is certain to exceed `max`. */
function lengthOf(value: Value, max: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  let length = 2
  for (const [key, item] of Object.entries(value)) {
    if (length > max) return length
    length += 1 + (Array.isArray(value) ? 0 : key.length + 3) + lengthOf(item, max - length)
  }
  return length
}

import { type ExportColumn, endOfExperiment } from '@atrium/contract'
import type { ExportedSession, ExportStore, SessionPart, StoredEvent } from '../exports.store.ts'
import {
  type Cell,
  dataOf,
  jsonOf,
  markOf,
  numberIn,
  originOf,
  type Row,
  type TableRows,
  textIn,
} from '../tables/row.ts'
import { dropOf, type Ending, endingOf, stateAfter } from './departure.ts'
import { changesIn, createRoomVariables } from './room-variables.ts'
import type { RevisionColumns, WideColumns } from './wide-columns.ts'

const payoff = 'payoff'
const payment = 'payment'
const endings = ['finished', 'left', 'removed']

interface Person {
  /** The newest. */
  session: ExportedSession
  sessionIds: string[]
  eventCount: number
  completionCode: string | null
  /** How their part in the room ended: all that is known of agents. */
  ending: Ending | null
  /** What the room recorded when their part ended, as JSON. */
  payment: string | null
  /** The state they entered last. */
  lastState: string | null
  columns: RevisionColumns
  cells: Map<ExportColumn, Cell>
  /** Answers that the room took, which count before those that a page sent over HTTP. */
  fromRoom: Set<ExportColumn>
  visits: Record<'client' | 'room', Map<ExportColumn, number>>
}

/** One row for each participant, from all of their sessions. */
export function participantRows(
  store: Pick<ExportStore, 'members' | 'roomChanges'>,
  { revisions }: WideColumns,
): TableRows {
  const roomVariables = createRoomVariables(store)
  let person: Person | undefined

  function take({ session, isFirst, events }: SessionPart): Person[] {
    const finished = person && person.session.participantId !== session.participantId ? [person] : []
    if (person?.session.participantId !== session.participantId) {
      const columns = revisions.get(session.revision)
      // Whoever joined a newer revision than there was when the export began is not in it.
      person = columns && begin(session, columns)
    }
    if (!person) return finished
    person.session = session
    if (isFirst) {
      person.sessionIds.push(session.sessionId)
      person.eventCount += session.eventCount
      person.completionCode = session.completionCode ?? person.completionCode
    }
    for (const event of events) note(person, event)
    return finished
  }

  return {
    types: ['component_response', 'variables_changed', payoff, payment, 'state_transition', ...endings],
    async rowsOf(parts, isLast) {
      const people = parts.flatMap(take)
      if (isLast && person) people.push(person)
      const rooms = new Set(people.flatMap(({ session: { roomId } }) => roomId ?? []))
      const members = new Map(rooms.size === 0 ? [] : await store.members([...rooms]))
      const rows: Row[] = []
      for (const one of people) {
        const { roomId } = one.session
        const needsRoom = [...one.columns.variables.values()].some(({ isOfRoom }) => isOfRoom)
        const values = roomId !== null && needsRoom ? await roomVariables(roomId) : new Map<string, unknown>()
        for (const [name, { column, isOfRoom }] of one.columns.variables)
          if (isOfRoom) one.cells.set(column, jsonOf(values.get(name)))
        for (const { column, levelIn } of one.columns.factors)
          one.cells.set(column, levelIn(one.session.condition))
        rows.push(rowOf(one, roomId === null ? [] : (members.get(roomId) ?? [])))
      }
      return rows
    },
  }
}

const begin = (session: ExportedSession, columns: RevisionColumns): Person => ({
  session,
  columns,
  sessionIds: [],
  eventCount: 0,
  completionCode: null,
  ending: null,
  payment: null,
  lastState: null,
  cells: new Map(),
  fromRoom: new Set(),
  visits: { client: new Map(), room: new Map() },
})

function note(person: Person, event: StoredEvent): void {
  const { columns, cells } = person
  const origin = originOf(event)
  const data = dataOf(event)
  if (event.type === 'component_response') noteAnswer(person, event, data.value)
  else if (event.type === 'state_transition') {
    person.lastState = stateAfter(event, person.lastState, endOfExperiment)
    const column = event.stateId === null ? undefined : columns.visits.get(event.stateId)
    const visits = person.visits[origin]
    if (column) visits.set(column, (visits.get(column) ?? 0) + 1)
  }
  // A page may send events of these names too.
  if (origin === 'client') return
  if (endings.includes(event.type)) person.ending = endingOf(event)
  else if (event.type === payment) person.payment = event.data
  else if (event.type === payoff) {
    const column = typeof data.variable === 'string' ? columns.payoffs.get(data.variable) : undefined
    if (column) cells.set(column, jsonOf(data.value))
  } else if (event.type === 'variables_changed' && data.scope === 'participant') {
    for (const { variable, value } of changesIn(data)) {
      const known = columns.variables.get(variable)
      if (known && !known.isOfRoom) cells.set(known.column, jsonOf(value))
    }
  }
}

function noteAnswer({ columns, cells, fromRoom }: Person, event: StoredEvent, value: unknown): void {
  const { stateId, componentId, round, flags } = event
  if (componentId === null || flags.some((flag) => flag !== 'implausible_time')) return
  const column = columns.answer(stateId, componentId, round)
  if (!column) return
  if (originOf(event) === 'room') fromRoom.add(column)
  else if (fromRoom.has(column)) return
  cells.set(column, cellOf(column, value))
}

/** Answers that do not fit their component are flagged and not here, so nothing is lost by the conversion. */
function cellOf({ type }: ExportColumn, value: unknown): Cell {
  switch (type) {
    case 'json':
      return jsonOf(value)
    case 'text':
      return textIn(value)
    case 'flag':
      return typeof value === 'boolean' ? value : null
    default:
      return numberIn(value)
  }
}

function rowOf({ session, cells, visits, ...person }: Person, members: readonly string[]): Row {
  const { participantId, revision, roomId, stage, condition, role, alias, agent } = session
  const { joinedAt, consentedAt, completedAt, language, softwareVersion } = session
  for (const column of new Set([...visits.room.keys(), ...visits.client.keys()]))
    cells.set(column, Math.max(visits.room.get(column) ?? 0, visits.client.get(column) ?? 0))
  return {
    ...{ participantId, revision, roomId, stage, condition, role, alias, agent },
    sessionIds: JSON.stringify(person.sessionIds),
    groupMembers: JSON.stringify(members.filter((id) => id !== participantId)),
    outcome: session.outcome ?? person.ending?.outcome ?? null,
    completionCode: person.completionCode,
    ...dropOf(session, person.ending, person.lastState),
    ...{ joinedAt, consentedAt, completedAt },
    durationMs: completedAt === null ? null : completedAt - joinedAt,
    eventCount: person.eventCount,
    // In no table: payments are made of it.
    recordedPayment: person.payment,
    ...{ language, softwareVersion },
    ...markOf(session),
    ...Object.fromEntries([...cells].map(([{ name }, cell]) => [name, cell])),
  }
}

import { type Component, type ExperimentDefinition, rowsIn, type TrialRow } from '@atrium/contract'
import { hasTrials } from '@atrium/flow'
import type { ExportedSession, SessionPart, StoredEvent } from '../exports.store.ts'
import {
  type Cell,
  dataOf,
  markOf,
  numberIn,
  originOf,
  type Row,
  type TableRows,
  textIn,
  timesOf,
  whoAt,
} from '../tables/row.ts'
import { changesIn } from '../wide/room-variables.ts'
import { questionsOf } from '../wide/wide-columns.ts'
import { componentTrialRows } from './component-trial-rows.ts'
import { plainCell, valueAt } from './plain-cell.ts'
import { type TrialColumns, trialsRunBy } from './trial-columns.ts'

const transition = 'state_transition'
const response = 'component_response'
const change = 'variables_changed'
/** How a participant's part in a room ends. */
const endings = ['finished', 'left', 'removed', 'stage_finished']

/** What rows need of a revision, which may have large tables: of one at a time. */
interface Revision {
  number: number
  rowOf(blockId: string, rowNumber: number): TrialRow | undefined
  component(stateId: string | null, componentId: string): Component | undefined
}

interface Trial {
  blockId: string
  trialIndex: number
  rowNumber: number
}

interface Walk {
  participantId: string
  /** The trial of a block that they are in. */
  open:
    | { key: string; trial: Trial; row: Row & { startedAt: number | null }; cells: Map<string, Cell> }
    | undefined
  /** The visit that they are in. */
  visit: number | null
  /** What the variables that trials set hold now, by column. */
  variables: Map<string, Cell>
  /** What they hold from the next visit on: `onEnter` is recorded just before the visit. */
  ahead: Map<string, Cell>
  /** How often they have begun each trial. */
  begun: Map<string, number>
}

/**
 * R66: a trial of a block is over when the next one is entered, or another state, so a row is complete by then, or when there is
 * no more of its participant. The trials in an answer are complete with it.
 */
export function trialRows(
  columns: TrialColumns,
  filledDefinition: (revision: number) => Promise<ExperimentDefinition>,
): TableRows {
  let walk: Walk | undefined
  let revision: Revision | undefined

  const leave = (at: number | null): Row[] => {
    if (!walk?.open) return []
    const { row, cells } = walk.open
    walk.open = undefined
    const durationMs = at === null || row.startedAt === null ? null : at - row.startedAt
    return [{ ...row, endedAt: at, durationMs, ...Object.fromEntries([...walk.variables, ...cells]) }]
  }

  function note(event: StoredEvent): void {
    const data = dataOf(event)
    if (!walk || data.scope !== 'participant') return
    const held = event.visit === walk.visit ? walk.variables : walk.ahead
    for (const { variable, value } of changesIn(data)) {
      const column = columns.variables.get(variable)
      if (column) held.set(column.name, plainCell(column.type, value))
    }
  }

  function arrive(event: StoredEvent): void {
    if (!walk || event.visit === walk.visit) return
    walk.visit = event.visit
    for (const [column, cell] of walk.ahead) walk.variables.set(column, cell)
    walk.ahead.clear()
  }

  /** Agents who take over a seat are in a trial without having entered it. */
  function enter(event: StoredEvent, session: ExportedSession, known: Revision): Row[] {
    const trial = trialIn(event)
    const key = trial && JSON.stringify([trial.blockId, event.round, trial.trialIndex, dataOf(event).within])
    if (!walk || walk.open?.key === key) return []
    const left = leave(event.serverTime)
    if (!trial || !key) return left
    const occurrence = (walk.begun.get(key) ?? 0) + 1
    walk.begun.set(key, occurrence)
    const { seq, stateId, round, visit, roomSeq, serverTime } = event
    const row = {
      ...whoAt(event, session),
      ...{ seq, source: 'block', ...trial, round, occurrence, stateId, visit },
      startedAt: event.type === transition ? serverTime : null,
      ...timesOf(event),
      ...{ origin: originOf(event), roomSeq },
      ...markOf(session),
    }
    walk.open = { key, trial, row, cells: tableCells(columns, known.rowOf(trial.blockId, trial.rowNumber)) }
    return left
  }

  function answer(event: StoredEvent, session: ExportedSession, known: Revision): Row[] {
    const { stateId, componentId, flags } = event
    if (componentId === null || flags.some((flag) => flag !== 'implausible_time')) return []
    const open = originOf(event) === 'room' ? walk?.open : undefined
    const { value, responseTime, answerSource } = dataOf(event)
    const component = known.component(stateId, componentId)
    if (component && trialsRunBy(component) !== null) {
      // The trials of the person whose seat the agent took are in rows of their own.
      if (session.agent !== null && answerSource === 'inherited') return []
      const shared = {
        ...whoAt(event, session),
        ...{ seq: event.seq, ...open?.trial, round: event.round },
        ...{ stateId, visit: event.visit, componentId },
        ...timesOf(event),
        ...{ origin: originOf(event), roomSeq: event.roomSeq },
        ...markOf(session),
      }
      const row = open && known.rowOf(open.trial.blockId, open.trial.rowNumber)
      const ofTable = Object.fromEntries(tableCells(columns, row))
      return componentTrialRows(component, value, columns).map((row) => ({ ...shared, ...row, ...ofTable }))
    }
    const found = open && stateId !== null ? columns.answersTo(stateId, componentId) : undefined
    if (!open || !found) return []
    for (const { path, column } of found.parts)
      open.cells.set(column.name, plainCell(column.type, valueAt(value, path)))
    open.cells.set(found.responseTime.name, numberIn(responseTime))
    return []
  }

  function rowsOfPart({ session, events }: SessionPart, known: Revision): Row[] {
    const { participantId } = session
    const rows = walk?.participantId === participantId ? [] : leave(null)
    if (walk?.participantId !== participantId) walk = beginning(participantId)
    for (const event of events) {
      // A page may send events of these names too.
      const isOfRoom = originOf(event) === 'room'
      if (isOfRoom && endings.includes(event.type)) rows.push(...leave(event.serverTime))
      else if (isOfRoom && event.type === change) note(event)
      else if (isOfRoom) {
        rows.push(...enter(event, session, known))
        arrive(event)
      }
      if (event.type === response) rows.push(...answer(event, session, known))
    }
    return rows
  }

  return {
    types: [transition, response, change, ...endings],
    async rowsOf(parts, isLast) {
      const rows: Row[] = []
      for (const part of parts) {
        const { revision: number } = part.session
        // Whoever joined a newer revision than there was when the export began is not in it.
        if (!columns.revisions.has(number)) continue
        if (revision?.number !== number) revision = compileRevision(number, await filledDefinition(number))
        rows.push(...rowsOfPart(part, revision))
      }
      return isLast ? [...rows, ...leave(null)] : rows
    },
  }
}

const beginning = (participantId: string): Walk => ({
  participantId,
  open: undefined,
  visit: null,
  variables: new Map(),
  ahead: new Map(),
  begun: new Map(),
})

function trialIn(event: StoredEvent): Trial | undefined {
  const { trial } = dataOf(event)
  const { block, index, row }: { block?: unknown; index?: unknown; row?: unknown } = Object(trial)
  const [blockId, trialIndex, rowNumber] = [textIn(block), numberIn(index), numberIn(row)]
  return blockId === null || trialIndex === null || rowNumber === null
    ? undefined
    : { blockId, trialIndex, rowNumber }
}

const tableCells = ({ cells }: TrialColumns, row: TrialRow = {}): Map<string, Cell> =>
  new Map(
    [...cells].flatMap(([name, column]) =>
      Object.hasOwn(row, name) ? [[column.name, plainCell(column.type, row[name])] as const] : [],
    ),
  )

function compileRevision(number: number, definition: ExperimentDefinition): Revision {
  const { blocks = [], tables } = definition
  const rows = new Map(blocks.filter(hasTrials).map(({ id, trials }) => [id, rowsIn(tables, trials.table)]))
  const running = questionsOf(definition).filter(({ component }) => trialsRunBy(component) !== null)
  return {
    number,
    rowOf: (blockId, rowNumber) => rows.get(blockId)?.[rowNumber - 1],
    // Events need not name the state of a component that is in one state only.
    component: (stateId, componentId) =>
      running.find((one) => one.componentId === componentId && (stateId === null || one.stateId === stateId))
        ?.component,
  }
}

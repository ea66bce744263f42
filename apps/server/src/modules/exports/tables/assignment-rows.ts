import { type ExperimentDefinition, levelsOf, plannedStatesAtMost, stageOf } from '@atrium/contract'
import { blocksAround, pacingOf, planSteps, type Step, type TrialRows, trialRowsOf } from '@atrium/flow'
import type { ExportedSession, ExportStore, StoredAssignment } from '../exports.store.ts'
import { jsonOf, type Row, type TableRows } from './row.ts'

interface Planned {
  definition: ExperimentDefinition
  trialRows: TrialRows
}

/** R90: one row for each person and room that has begun. Agents are assigned nothing. */
export function assignmentRows(
  store: Pick<ExportStore, 'assignments'>,
  experimentId: string,
  filledDefinition: (revision: number) => Promise<ExperimentDefinition>,
): TableRows {
  let last: string | undefined
  let planned = new Map<string | null, Planned>()
  let plannedRevision: number | undefined
  /** Of one revision at a time: tables of trials may be large, and which of their rows are played takes long to find. */
  const plannedIn = async (revision: number, stage: string | null): Promise<Planned> => {
    if (plannedRevision !== revision) planned = new Map()
    plannedRevision = revision
    const known = planned.get(stage)
    if (known) return known
    const definition = stageOf(await filledDefinition(revision), stage)
    const found = { definition, trialRows: trialRowsOf(definition) }
    planned.set(stage, found)
    return found
  }
  return {
    types: ['condition_assigned'],
    async rowsOf(parts) {
      // The sessions of a participant follow each other, also from page to page.
      const people = new Map<string, ExportedSession>()
      for (const { session } of parts) {
        const { participantId } = session
        if (session.agent === null && participantId !== last) people.set(participantId, session)
        last = participantId
      }
      const orders = createPlannedOrders()
      const rows: Row[] = []
      const stored = await store.assignments([...people.keys()])
      const byPerson = Map.groupBy(stored, ({ participantId }) => participantId)
      for (const session of people.values())
        for (const found of byPerson.get(session.participantId) ?? []) {
          const planned = await plannedIn(session.revision, found.stage)
          rows.push(rowOf(session, found, { experimentId, planned, orders }))
        }
      return rows
    },
  }
}

interface Plans {
  experimentId: string
  planned: Planned
  orders: ReturnType<typeof createPlannedOrders>
}

function rowOf(
  { participantId, revision }: ExportedSession,
  found: StoredAssignment,
  { experimentId, planned, orders }: Plans,
): Row {
  const { definition } = planned
  const { roomId, stage, role, alias, condition } = found
  return {
    ...{ participantId, revision, roomId, role, alias, stage },
    seed: definition.conditions?.seed ?? experimentId,
    ordinal: found.stored?.ordinal ?? found.roomOrdinal,
    condition,
    factors: jsonOf(levelsOf(definition.conditions, condition)),
    plannedOrder: orders(planned, found),
    schedule: null,
    assignedAt: found.assignedAt,
  }
}

/** The orders are drawn again as the room drew them: once for all people who have the same, who may be a thousand. */
function createPlannedOrders() {
  const known = new Map<string, string>()
  return (
    { definition, trialRows }: Planned,
    { roomSeed, roomOrdinal, stored, roomId, alias }: StoredAssignment,
  ): string => {
    const seat = stored ? stored.seat : seatBefore(definition, alias)
    const key = `${roomId} ${seat}`
    const seed = seat === null ? roomSeed : `${roomSeed} ${seat}`
    const order =
      known.get(key) ??
      JSON.stringify(
        plannedOrder(definition, planSteps(definition, seed, roomOrdinal, stored?.rows, trialRows)),
      )
    known.set(key, order)
    return order
  }
}

function plannedOrder(
  { blocks = [] }: ExperimentDefinition,
  steps: readonly Step[],
): Record<string, string[]> {
  const orders = new Map<string, string[]>(blocks.map(({ id }) => [id, []]))
  for (const step of steps)
    for (const { blockId } of blocksAround(step)) {
      const order = orders.get(blockId)
      if (order && order.length < plannedStatesAtMost) order.push(step.stateId)
    }
  return Object.fromEntries(orders)
}

/** Before seats were stored, people were called by theirs. */
const seatBefore = (definition: ExperimentDefinition, alias: string | null): number | null =>
  pacingOf(definition) === 'room' ? null : Math.max(0, Number(/^P(\d+)$/.exec(alias ?? '')?.[1] ?? 1) - 1)

import { type ExperimentDefinition, levelsOf, plannedStatesAtMost } from '@atrium/contract'
import { blocksAround, pacingOf, planSteps, type Step, type TrialRows, trialRowsOf } from '@atrium/flow'
import type { ExportedSession, ExportStore, StoredAssignment } from '../exports.store.ts'
import { jsonOf, type Row, type TableRows } from './row.ts'

interface Assigned {
  session: ExportedSession
  found: StoredAssignment
}

interface Planned {
  revision: number
  definition: ExperimentDefinition
  trialRows: TrialRows
}

/** R90: one row for each person whose room has begun. Agents are assigned nothing. */
export function assignmentRows(
  store: Pick<ExportStore, 'assignments'>,
  experimentId: string,
  filledDefinition: (revision: number) => Promise<ExperimentDefinition>,
): TableRows {
  let last: string | undefined
  let planned: Planned | undefined
  /** Of one revision at a time: tables of trials may be large, and which of their rows are played takes long to find. */
  const plannedIn = async (revision: number): Promise<Planned> => {
    if (planned?.revision === revision) return planned
    const definition = await filledDefinition(revision)
    planned = { revision, definition, trialRows: trialRowsOf(definition) }
    return planned
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
      const stored = await store.assignments([...people.keys()])
      const byPerson = new Map(stored.map((one) => [one.participantId, one]))
      const orders = createPlannedOrders()
      const rows: Row[] = []
      for (const session of people.values()) {
        const found = byPerson.get(session.participantId)
        if (found)
          rows.push(rowOf({ session, found }, experimentId, await plannedIn(session.revision), orders))
      }
      return rows
    },
  }
}

function rowOf(
  { session, found }: Assigned,
  experimentId: string,
  planned: Planned,
  plannedOrderOf: ReturnType<typeof createPlannedOrders>,
): Row {
  const { definition } = planned
  const { participantId, revision, roomId, role, alias, condition } = session
  return {
    ...{ participantId, revision, roomId, role, alias, stage: null },
    seed: definition.conditions?.seed ?? experimentId,
    ordinal: found.stored?.ordinal ?? found.roomOrdinal,
    condition,
    factors: jsonOf(levelsOf(definition.conditions, condition)),
    plannedOrder: plannedOrderOf(planned, found, session),
    schedule: null,
    assignedAt: found.assignedAt,
    ...matchedOf(found),
  }
}

/** M29: nothing where people did not wait for others. */
const matchedOf = ({ match }: StoredAssignment): Row => ({
  matchedBy: match?.search ?? null,
  waitedMs: match?.waitedMs ?? null,
  part: match?.part ?? null,
  peopleWaiting: match?.waiting ?? null,
  peopleConsidered: match?.considered ?? null,
  peoplePassedOver: match?.passedOver ?? null,
})

/** The orders are drawn again as the room drew them: once for all people who have the same, who may be a thousand. */
function createPlannedOrders() {
  const known = new Map<string, string>()
  return (
    { definition, trialRows }: Planned,
    { roomSeed, roomOrdinal, stored }: StoredAssignment,
    { roomId, alias }: ExportedSession,
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

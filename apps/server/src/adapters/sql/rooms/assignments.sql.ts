import { stageOf, type WrittenDefinition } from '@atrium/contract'
import type { Assignment } from '@atrium/flow'
import {
  createAllocator,
  type Design,
  lateDesign,
  openingDesign,
  planAssignment,
  type RevisionDesign,
  type RoomToAssign,
  stratumOf,
} from '@atrium/flow'
import { LRUCache } from 'lru-cache'
import type { LateAssignment, Member } from '../../../modules/rooms/rooms.store.ts'
import { readDefinition } from '../experiments/definitions.sql.ts'
import { lockParticipants } from '../locks.sql.ts'
import { forUpdate, type Sql } from '../tables.ts'
import { filledDefinition } from '../trial-tables/pinned-tables.sql.ts'
import { type CellChange, countIn, recounted, recountedStale } from './assignment-counts.sql.ts'

/** A definition may have a megabyte, and never changes: what is to be assigned is worked out once per revision. */
const revisionsKept = 500

export type Designs = ReturnType<typeof createDesigns>

export function createDesigns() {
  const known = new LRUCache<string, { found: StageDesign | null }>({ max: revisionsKept })
  return async (
    tx: Sql,
    {
      experimentId,
      revision,
      stage = null,
    }: { experimentId: string; revision: number; stage?: string | null },
  ): Promise<StageDesign | null> => {
    const key = `${experimentId} ${revision} ${stage ?? ''}`
    const kept = known.get(key)
    if (kept) return kept.found
    const definition = await readDefinition(tx, experimentId, revision)
    const found = definition ? planStage(await filledDefinition(tx, definition), experimentId, stage) : null
    // A revision that cannot be read is of an experiment that is being deleted.
    if (definition) known.set(key, { found })
    return found
  }
}

interface StageDesign extends RevisionDesign {
  /** R68: people keep its conditions in later stages, so that even whoever is alone in a room has one of their own. */
  isOfStudy: boolean
}

/** R68: people keep what the whole study assigns them; designs of later stages count for themselves. */
function planStage(
  written: WrittenDefinition,
  experimentId: string,
  stage: string | null,
): StageDesign | null {
  const played = stageOf(written, stage)
  if (stage === null) {
    const found = planAssignment(played, experimentId)
    return found && { ...found, isOfStudy: written.stages !== undefined && written.conditions !== undefined }
  }
  const { conditions: _shared, ...others } = played
  const own = written.stages?.find(({ id }) => id === stage)?.conditions
  const found = planAssignment({ ...others, ...(own && { conditions: own }) }, experimentId)
  return (
    found && {
      ...found,
      isOfStudy: false,
      design: found.design && { ...found.design, id: `${stage} ${found.design.id}` },
    }
  )
}

interface BeginningRoom {
  experimentId: string
  revision: number
  /** R68: null for the first. */
  stage: string | null
  /** In the order of their seats. */
  members: readonly Member[]
  ordinal: number
  /** Position of its first person among all people in rooms of the experiment. */
  seatOrdinal: number
}

/**
 * Assigns a room that begins, and counts its people. The caller has locked them, so that whoever leaves at this moment is
 * counted before or after, and the experiment, so that rooms are assigned one after another on all instances. Null when
 * nothing is to be assigned.
 */
export async function assignRoom(
  tx: Sql,
  designs: Designs,
  { experimentId, revision, stage, members, ordinal, seatOrdinal }: BeginningRoom,
): Promise<Assignment | null> {
  const found = await designs(tx, { experimentId, revision, stage })
  if (!found || members.length === 0) return null
  const { design, seed, balance, movesAlone, isOfStudy } = found
  const countsPeople = design !== null && (design.hasOwnOrders || design.hasOwnConditions)
  const stale = design ? await recountedStale(tx, experimentId, design.groups.length) : []
  const { assignment, cells } = design
    ? await allot(
        tx,
        { design: openingDesign(design), experimentId, stale },
        {
          seed,
          ordinal,
          seatOrdinal,
          people: members.length,
          ...(design.isLate ? {} : await strataOf(tx, design, members)),
        },
      )
    : { assignment: null, cells: [] }
  const rows = members.map(({ participantId }, index) => ({
    participant_id: participantId,
    experiment_id: experimentId,
    design: design?.id ?? '',
    cells: JSON.stringify(cells[index] ?? []),
    ordinal: countsPeople ? seatOrdinal + index : ordinal,
    seat: movesAlone ? index : null,
    rows: JSON.stringify(assignment?.rows[index % assignment.rows.length] ?? {}),
    condition: assignment?.conditions?.[index] ?? (isOfStudy ? (assignment?.condition ?? null) : null),
  }))
  const stays = stage === null ? [] : await staysOf(tx, members)
  if (stays.some((stay) => stay > 0)) {
    await tx.db
      .insertInto('stay_assignments')
      .values(rows.map((row, index) => ({ ...row, stay: stays[index] ?? 0 })))
      .execute()
    const added = cells.flat().map((cell) => ({ experimentId, design: design?.id ?? '', cell, people: 1 }))
    await countIn(tx, [...stale, ...added])
    return assignment
  }
  await tx.db
    .insertInto('assignments')
    .values(rows.map((row) => ({ ...row, is_counted: 0, balance })))
    .execute()
  // Not everybody counts: somebody may have left before the room began.
  const ids = members.map(({ participantId }) => participantId)
  await countIn(tx, [...stale, ...(await recounted(tx, ids))])
  return assignment
}

/** Which room each of them is in, counted from 0. */
async function staysOf({ db }: Sql, members: readonly Member[]): Promise<number[]> {
  const ids = members.map(({ participantId }) => participantId)
  const rows = await db
    .selectFrom('participants')
    .select(['participant_id', 'stay'])
    .where('participant_id', 'in', ids)
    .execute()
  const known = new Map(rows.map((row) => [row.participant_id, row.stay]))
  return ids.map((id) => known.get(id) ?? 0)
}

/**
 * F69: people by what their link carried, or by variables of theirs. Somebody without a value is in a stratum with those who have
 * none either.
 */
async function strataOf(
  { db }: Sql,
  { conditions }: Design,
  members: readonly Pick<Member, 'participantId'>[],
  variables: Readonly<Record<string, unknown>> = {},
): Promise<{ strata?: string[] }> {
  const names = conditions?.strata ?? []
  if (names.length === 0) return {}
  const ids = members.map(({ participantId }) => participantId)
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['s.participant_id', 'o.metadata'])
    .where('s.participant_id', 'in', ids)
    .orderBy('s.created_at')
    .orderBy('s.session_id')
    .execute()
  // The newest session of each has the metadata of all its joins.
  const known = new Map(rows.map((row) => [row.participant_id, row.metadata]))
  return {
    strata: ids.map((id) => {
      const given = { ...JSON.parse(known.get(id) ?? '{}'), ...variables }
      return stratumOf(names.map((name) => (Object.hasOwn(given, name) ? given[name] : null)))
    }),
  }
}

/**
 * RM207: the condition of somebody whose strata are known now; null where every condition is full, or they were deleted. Once
 * assigned, the answer is always the same.
 */
export async function assignLater(
  { engine, db }: Sql,
  designs: Designs,
  { experimentId, revision, participantId, strata }: LateAssignment,
): Promise<string | null> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    await lockParticipants(tx, [participantId])
    const row = await db
      .selectFrom('assignments')
      .select(['condition', 'cells', 'ordinal', 'is_counted'])
      .where('participant_id', '=', participantId)
      .executeTakeFirst()
    const found = await designs(tx, { experimentId, revision })
    if (!row || !found?.design || row.condition !== null) return row?.condition ?? null
    await db
      .selectFrom('experiments')
      .select('experiment_id')
      .where('experiment_id', '=', experimentId)
      .$call(forUpdate(engine))
      .execute()
    const { design, seed } = found
    const stale = await recountedStale(tx, experimentId, design.groups.length)
    const place = { seed, ordinal: row.ordinal, seatOrdinal: row.ordinal, people: 1 }
    const members = [{ participantId }]
    const { assignment, cells } = await allot(
      tx,
      { design: lateDesign(design), experimentId, stale },
      { ...place, ...(await strataOf(tx, design, members, strata)) },
    )
    const condition = assignment.conditions?.[0] ?? assignment.condition
    const added = cells.flat()
    if (condition !== null)
      await db
        .updateTable('assignments')
        .set({ condition, cells: JSON.stringify([...JSON.parse(row.cells), ...added]) })
        .where('participant_id', '=', participantId)
        .execute()
    const counted = row.is_counted === 1 ? added : []
    const changes = counted.map((cell) => ({ experimentId, design: design.id, cell, people: 1 }))
    await countIn(tx, [...stale, ...changes])
    return condition
  })
}

interface Counted {
  design: Design
  experimentId: string
  /** What is not in the counts yet. */
  stale: readonly CellChange[]
}

/** Chooses the cells for a room and its people. */
async function allot({ db }: Sql, { design, experimentId, stale }: Counted, room: RoomToAssign) {
  const counts = await db
    .selectFrom('assignment_counts')
    .select(['cell', 'people'])
    .where('experiment_id', '=', experimentId)
    .where('design', '=', design.id)
    .execute()
  const known = [...counts, ...stale.filter((change) => change.design === design.id)]
  const allocate = createAllocator(
    design,
    known.map(({ cell, people }) => [cell, people]),
  )
  return allocate(room)
}

/** F68: pilots fill no quota, and end at none. */
const withoutQuotas = ({ conditions, ...design }: Design): Design => {
  const { quotas: _, ...others } = conditions ?? {}
  return { ...design, conditions: conditions && others }
}

/**
 * The rooms of a pilot are assigned one after another as if nobody else took part, and count for nobody: what the rooms
 * before this one were assigned is worked out again.
 */
export async function assignPilotRoom(
  tx: Sql,
  designs: Designs,
  {
    experimentId,
    revision,
    place,
    seats,
  }: { experimentId: string; revision: number; place: number; seats: number },
): Promise<Assignment | null> {
  const found = await designs(tx, { experimentId, revision })
  if (!found?.design) return null
  const { design, seed } = found
  const allocate = createAllocator(openingDesign(withoutQuotas(design)), [])
  const people = Math.max(1, seats)
  const assignments = Array.from({ length: place + 1 }, (_, ordinal) =>
    allocate({ seed, ordinal, seatOrdinal: ordinal * people, people }),
  )
  return assignments.at(-1)?.assignment ?? null
}

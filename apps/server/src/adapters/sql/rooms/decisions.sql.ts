import { releasesSlot } from '@atrium/contract'
import { sql } from 'kysely'
import type { Absence, Decision, Onward, RoomAppend } from '../../../modules/rooms/rooms.store.ts'
import { overRows } from '../row-set.ts'
import { isFirstStateOver, returnPlaces } from '../sessions/places.sql.ts'
import type { Sql } from '../tables.ts'
import { recountAssignments } from './assignment-counts.sql.ts'

interface UndecidedRow {
  participant_id: string
  experiment_id: string
  holds_place: number
  stay: number
  has_withdrawn: number
}

/**
 * R52, R56: decisions of rooms, written in the transaction of the action that made them, so that a completion after
 * the acknowledgement finds them on any instance. Most actions decide nothing and cost nothing here.
 */
export function createDecisionWriter(engine: Sql['engine']) {
  const inOrder = engine === 'postgres' ? sql`order by participant_id for update` : sql``
  const select = overRows(
    engine,
    'decided',
    { participant_id: 'text' },
    (decided) => sql<UndecidedRow>`
      select participant_id, experiment_id, holds_place, stay,
        case when consent_required = 1 and consented_at is null then 1 else 0 end as has_withdrawn
      from participants
      where participant_id in (select participant_id from ${decided}) and outcome is null ${inOrder}`,
  )
  const update = overRows(
    engine,
    'decided',
    {
      ...{ participant_id: 'text', outcome: 'text', holds_place: 'integer' },
      ...{ dropped_at: 'bigint', dropped_state: 'text', drop_reason: 'text' },
    },
    // R92: that they withdrew is known before the room hears of it.
    (decided) => sql`
      update participants set outcome = decided.outcome, holds_place = decided.holds_place,
        dropped_at = coalesce(participants.dropped_at, decided.dropped_at),
        dropped_state = coalesce(participants.dropped_state, decided.dropped_state),
        drop_reason = coalesce(participants.drop_reason, decided.drop_reason)
      from ${decided} where participants.participant_id = decided.participant_id`,
  )
  const note = overRows(
    engine,
    'absent',
    { participant_id: 'text', is_dropped: 'integer' },
    (absent) => sql`
      update assignments set is_dropped = absent.is_dropped
      from ${absent} where assignments.participant_id = absent.participant_id`,
  )
  const stageColumns = { participant_id: 'text', stage: 'text', carried: 'text', at: 'bigint' } as const
  const leaveRooms = overRows(
    engine,
    'onward',
    stageColumns,
    (onward) => sql`
      insert into former_stays (participant_id, stay, stage, room_id, role, alias, finished_at)
      select p.participant_id, p.stay, p.stage, p.room_id, p.role, p.alias, onward.at
      from participants p join ${onward} on p.participant_id = onward.participant_id`,
  )
  const enterStages = overRows(
    engine,
    'onward',
    stageColumns,
    (onward) => sql`
      update participants set room_id = null, alias = null, stage = onward.stage, carried = onward.carried,
        stay = participants.stay + 1
      from ${onward} where participants.participant_id = onward.participant_id`,
  )
  const decisionsIn = (appends: RoomAppend[]): Decision[] => appends.flatMap(({ decisions }) => decisions)
  const onwardIn = (appends: RoomAppend[]): (Onward & { at: number })[] =>
    appends.flatMap(({ onward = [], at }) => onward.map((each) => ({ ...each, at })))
  const absencesIn = (appends: RoomAppend[]): Absence[] => appends.flatMap(({ absences = [] }) => absences)

  /** S47: whoever is dropped and comes back in actions that are stored together is here. Returns those concerned. */
  async function writeAbsences(db: Sql['db'], stored: RoomAppend[]): Promise<string[]> {
    const last = new Map(absencesIn(stored).map(({ participantId, isDropped }) => [participantId, isDropped]))
    if (last.size === 0) return []
    const rows = [...last].map(([participant_id, isDropped]) => ({
      participant_id,
      is_dropped: isDropped ? 1 : 0,
    }))
    await note(db, rows)
    return [...last.keys()]
  }

  return {
    /** Those who get an alias or come and go as well: everything about participants is locked before streams and rooms. */
    async lockUndecided(db: Sql['db'], appends: RoomAppend[]): Promise<Map<string, UndecidedRow>> {
      const given = appends.flatMap(({ aliases = [] }) => aliases)
      const ids = [...decisionsIn(appends), ...absencesIn(appends), ...given, ...onwardIn(appends)].map(
        ({ participantId }) => ({
          participant_id: participantId,
        }),
      )
      if (ids.length === 0) return new Map()
      return new Map((await select(db, ids)).map((row) => [row.participant_id, row]))
    },
    /**
     * R68: their rooms are behind them, and they wait for another, unless their end is decided. Also if they have just withdrawn:
     * nobody seats them, but they may agree again.
     */
    async moveOn(
      db: Sql['db'],
      stored: RoomAppend[],
      undecided: ReadonlyMap<string, UndecidedRow>,
    ): Promise<void> {
      const rows = onwardIn(stored).flatMap(({ participantId, stage, carried, at }) =>
        undecided.has(participantId) ? [{ participant_id: participantId, stage, carried, at }] : [],
      )
      if (rows.length === 0) return
      await leaveRooms(db, rows)
      await enterStages(db, rows)
    },
    /**
     * The first decision stands, even against an earlier completion. A withdrawal that the room has not heard of yet
     * counts as the first (RM97); a researcher may also end a room for one before consent was given.
     */
    async write(
      db: Sql['db'],
      stored: RoomAppend[],
      undecided: ReadonlyMap<string, UndecidedRow>,
    ): Promise<void> {
      const absent = await writeAbsences(db, stored)
      const keepers = await placeKeepers(db, decisionsIn(stored))
      const rows = decisionsIn(stored).flatMap(({ participantId, outcome, givesPlaceBack, departure }) => {
        const row = undecided.get(participantId)
        if (!row) return []
        // R68: the first state of a later stage is not the first of theirs.
        const isEarly = givesPlaceBack && (row.stay === 0 || releasesSlot(outcome, true))
        const isReturned = isEarly && row.holds_place === 1 && !keepers.has(participantId)
        return [{ row, outcome, isReturned, departure }]
      })
      if (rows.length + absent.length === 0) return
      await update(
        db,
        rows.map(({ row, outcome, isReturned, departure }) => ({
          participant_id: row.participant_id,
          outcome: row.has_withdrawn === 1 && outcome !== 'TECHNICAL' ? 'NO_CONSENT' : outcome,
          holds_place: isReturned ? 0 : row.holds_place,
          dropped_at: departure?.at ?? null,
          dropped_state: departure?.stateId ?? null,
          drop_reason: departure?.reason ?? null,
        })),
      )
      const returned = rows.flatMap(({ row, isReturned }) => (isReturned ? [row.experiment_id] : []))
      await returnPlaces({ engine, db }, returned)
      await recountAssignments({ engine, db }, [
        ...new Set([...absent, ...rows.map(({ row }) => row.participant_id)]),
      ])
    },
  }
}

/** People who keep their place because of a transition that their client, which decides, has recorded itself. */
async function placeKeepers(db: Sql['db'], decisions: Decision[]): Promise<Set<string>> {
  const ids = decisions.flatMap(({ participantId, outcome, givesPlaceBack: isEarly, decidedBy }) =>
    decidedBy === 'client' && isEarly && !releasesSlot(outcome, true) ? [participantId] : [],
  )
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('participants')
    .select('participant_id')
    .where('participant_id', 'in', ids)
    .where(isFirstStateOver('client'))
    .execute()
  return new Set(rows.map((row) => row.participant_id))
}

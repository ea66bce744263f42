import type { DropReason, ExportedEvent, SessionStatus } from '@atrium/contract'
import { sql } from 'kysely'
import type { ExportFilters, ExportPosition, ExportSource } from '../../../modules/events/events.store.ts'
import type { Sql } from '../tables.ts'

/** A session of a person, or the record of an agent, with what all of its lines have in common. */
export type ExportedStream = Omit<ExportPosition, 'seq'> &
  Pick<ExportedEvent, 'revision' | 'roomId' | 'stage' | 'condition' | 'role' | 'alias' | 'agent'> & {
    isSynthetic: boolean
    /** R68: of people who have been in several rooms, all of them in order; absent for everyone else. */
    stays?: readonly Stay[]
    streamNo: number
    lastSeq: number
    /** Null for agents, like the rest. */
    outcome: string | null
    completionCode: string | null
    consentedAt: number | null
    completedAt: number | null
    language: string | null
    softwareVersion: string | null
    status: SessionStatus | null
    lastActivityAt: number | null
    droppedAt: number | null
    droppedState: string | null
    dropReason: DropReason | null
  }

/** In one room. */
export interface Stay extends Pick<ExportedEvent, 'roomId' | 'stage' | 'condition' | 'role' | 'alias'> {
  stay: number
  /** When they went on; null for the last. */
  until: number | null
}

export interface StreamWalk {
  experimentId: string
  source: ExportSource
  filters: ExportFilters
}

/**
 * The next streams of an experiment in the order of the export. Pilots' are among them when people's are asked for, and
 * the other way round: leaving them out here would make a page as expensive as the pilots before it.
 */
export async function streamsFrom(
  db: Sql['db'],
  walk: StreamWalk,
  after: ExportPosition | null,
  limit: number,
): Promise<ExportedStream[]> {
  const people = walk.source === 'people' ? await sessionsFrom(db, walk, after, limit) : []
  const agents = walk.filters.status === null ? await agentsFrom(db, walk, after, limit) : []
  // Both are in order, and neither needs comparing by id, which databases do in different ways.
  return [...people, ...agents]
    .sort((one, other) => one.joinedAt - other.joinedAt || Number(one.isAgent) - Number(other.isAgent))
    .slice(0, limit)
}

async function sessionsFrom(
  db: Sql['db'],
  { experimentId, filters }: StreamWalk,
  after: ExportPosition | null,
  limit: number,
): Promise<ExportedStream[]> {
  const { joinedFrom, joinedBefore } = filters
  const from = after ?? { joinedAt: joinedFrom ?? 0, participantId: '', startedAt: 0, sessionId: '' }
  const rows = await db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .innerJoin('event_streams as t', 't.session_id', 's.session_id')
    .leftJoin('rooms as r', 'r.room_id', 'p.room_id')
    .leftJoin('experiment_revisions as v', (join) =>
      join.onRef('v.experiment_id', '=', 'p.experiment_id').onRef('v.revision', '=', 'p.revision'),
    )
    .leftJoin('assignments as a', 'a.participant_id', 'p.participant_id')
    .leftJoin('stay_assignments as b', (join) =>
      join.onRef('b.participant_id', '=', 'p.participant_id').onRef('b.stay', '=', 'p.stay'),
    )
    .select(({ fn }) => [
      fn.coalesce('b.condition', 'a.condition', 'r.condition').as('condition'),
      fn.coalesce('p.stage', 'v.first_stage').as('stage'),
    ])
    .select([
      'p.joined_at as joinedAt',
      'p.participant_id as participantId',
      's.created_at as startedAt',
      's.session_id as sessionId',
      'p.revision as revision',
      'p.room_id as roomId',
      'p.stay as stay',
      'p.role as role',
      'p.alias as alias',
      'p.outcome as outcome',
      's.completion_code as completionCode',
      's.language as language',
      's.software_version as softwareVersion',
      'p.consented_at as consentedAt',
      'p.completed_at as completedAt',
      't.stream_no as streamNo',
      't.last_seq as lastSeq',
      's.status as status',
      's.last_activity_at as lastActivityAt',
      'p.dropped_at as droppedAt',
      'p.dropped_state as droppedState',
      'p.drop_reason as dropReason',
    ])
    .where('p.experiment_id', '=', experimentId)
    .$if(joinedBefore !== null, (query) => query.where('p.joined_at', '<', joinedBefore))
    .where(
      after?.isAgent
        ? sql<boolean>`p.joined_at > ${after.joinedAt}`
        : // Twice: the second comparison is of two tables, so that no index finds where to begin.
          sql<boolean>`(p.joined_at, p.participant_id) >= (${from.joinedAt}, ${from.participantId})
            and (p.joined_at, p.participant_id, s.created_at, s.session_id)
            >= (${from.joinedAt}, ${from.participantId}, ${from.startedAt}, ${from.sessionId})`,
    )
    .orderBy('p.joined_at')
    .orderBy('p.participant_id')
    .orderBy('s.created_at')
    .orderBy('s.session_id')
    .limit(limit)
    .execute()
  const moved = rows.flatMap((row) => (row.stay > 0 ? [row.participantId] : []))
  const former = await formerStays(db, moved)
  return rows.map(({ status, dropReason, stay, ...row }) => ({
    ...row,
    ...staysOf(row, stay, former.get(row.participantId)),
    status: status as SessionStatus,
    dropReason: dropReason as DropReason | null,
    isAgent: false,
    agent: null,
    isSynthetic: false,
  }))
}

/** By participant, in order. */
async function formerStays(db: Sql['db'], participantIds: string[]): Promise<Map<string, Stay[]>> {
  if (participantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('former_stays as f')
    .innerJoin('rooms as r', 'r.room_id', 'f.room_id')
    .leftJoin('experiment_revisions as v', (join) =>
      join.onRef('v.experiment_id', '=', 'r.experiment_id').onRef('v.revision', '=', 'r.revision'),
    )
    .leftJoin('assignments as a', 'a.participant_id', 'f.participant_id')
    .leftJoin('stay_assignments as b', (join) =>
      join.onRef('b.participant_id', '=', 'f.participant_id').onRef('b.stay', '=', 'f.stay'),
    )
    .select(({ fn }) => [
      fn.coalesce('f.stage', 'v.first_stage').as('stage'),
      fn.coalesce('b.condition', 'a.condition', 'r.condition').as('condition'),
    ])
    .select(['f.participant_id as participantId', 'f.stay', 'f.room_id as roomId', 'f.role', 'f.alias'])
    .select('f.finished_at as until')
    .where('f.participant_id', 'in', participantIds)
    .orderBy('f.stay')
    .execute()
  return Map.groupBy(rows, ({ participantId }) => participantId)
}

type Present = Pick<ExportedStream, 'roomId' | 'stage' | 'condition' | 'role' | 'alias'>

function staysOf(
  { roomId, stage, condition, role, alias }: Present,
  stay: number,
  former: readonly Stay[] | undefined,
): { stays?: readonly Stay[] } {
  if (!former) return {}
  return { stays: [...former, { roomId, stage, condition, role, alias, stay, until: null }] }
}

async function agentsFrom(
  db: Sql['db'],
  { experimentId, filters: { joinedFrom, joinedBefore } }: StreamWalk,
  after: ExportPosition | null,
  limit: number,
): Promise<ExportedStream[]> {
  const from = {
    joinedAt: after?.joinedAt ?? joinedFrom ?? 0,
    participantId: after?.isAgent ? after.participantId : '',
  }
  const rows = await db
    .selectFrom('agent_participants as a')
    .innerJoin('event_streams as t', 't.session_id', 'a.session_id')
    .innerJoin('rooms as r', 'r.room_id', 'a.room_id')
    .leftJoin('experiment_revisions as v', (join) =>
      join.onRef('v.experiment_id', '=', 'r.experiment_id').onRef('v.revision', '=', 'r.revision'),
    )
    .select(({ fn }) => fn.coalesce('r.stage', 'v.first_stage').as('stage'))
    .select([
      'a.seated_at as joinedAt',
      'a.participant_id as participantId',
      'a.seated_at as startedAt',
      'a.session_id as sessionId',
      'r.revision as revision',
      'a.room_id as roomId',
      'r.condition as condition',
      'a.role as role',
      'a.alias as alias',
      'a.agent_id as agent',
      'r.pilot_id as pilotId',
      't.stream_no as streamNo',
      't.last_seq as lastSeq',
    ])
    .where('a.experiment_id', '=', experimentId)
    .$if(joinedBefore !== null, (query) => query.where('a.seated_at', '<', joinedBefore))
    .where(sql<boolean>`(a.seated_at, a.participant_id) >= (${from.joinedAt}, ${from.participantId})`)
    .orderBy('a.seated_at')
    .orderBy('a.participant_id')
    .limit(limit)
    .execute()
  return rows.map(({ pilotId, ...row }) => ({
    ...row,
    ...notOfAgents,
    isAgent: true,
    isSynthetic: pilotId !== null,
  }))
}

const notOfAgents = {
  ...{ outcome: null, completionCode: null, consentedAt: null, completedAt: null },
  ...{ language: null, softwareVersion: null },
  ...{ status: null, lastActivityAt: null, droppedAt: null, droppedState: null, dropReason: null },
}

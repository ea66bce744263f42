import type { Person } from '@atrium/contract'
import { sql } from 'kysely'
import type { PeopleListing, PersonRecord } from '../../../modules/experiments/experiments.store.ts'
import { conditionOfPerson } from '../rooms/stays.sql.ts'
import type { Sql } from '../tables.ts'
import { statusOf } from './recruits.sql.ts'

/** Walks the index of participants, with the newest session of each. */
const people = (db: Sql['db'], experimentId: string) =>
  db
    .selectFrom('participants as p')
    .innerJoin('sessions as s', 's.participant_id', 'p.participant_id')
    .leftJoin('rooms as r', 'r.room_id', 'p.room_id')
    .leftJoin('assignments as a', 'a.participant_id', 'p.participant_id')
    .select(['p.participant_id', 'p.joined_at', 'p.revision', 'p.room_id', 'p.role', 'p.alias', 'p.outcome'])
    .select(['p.completed_at', 's.status', 'r.created_at as room_at'])
    .select('p.stay')
    .select(conditionOfPerson.as('condition'))
    .where('p.experiment_id', '=', experimentId)
    .where('s.session_id', '=', ({ selectFrom }) =>
      selectFrom('sessions as newest')
        .select('newest.session_id')
        .whereRef('newest.participant_id', '=', 'p.participant_id')
        .orderBy('newest.created_at', 'desc')
        .orderBy('newest.session_id', 'desc')
        .limit(1),
    )

type Row = Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirstOrThrow']>>

export async function listPeople({ db }: Sql, listing: PeopleListing): Promise<Person[]> {
  const { experimentId, after, limit, status, outcome, condition, revision } = listing
  const rows = await people(db, experimentId)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(p.joined_at, p.participant_id) > (${after?.joinedAt}, ${after?.participantId})`,
      ),
    )
    // X47, as `statusOf` says it.
    .$if(status !== null, (query) =>
      query.where(
        sql<boolean>`case when s.status = 'active' and p.outcome is not null then 'completed' else s.status end = ${status}`,
      ),
    )
    .$if(outcome !== null, (query) => query.where('p.outcome', '=', outcome))
    .$if(condition !== null, (query) => query.where(conditionOfPerson, '=', condition))
    .$if(revision !== null, (query) => query.where('p.revision', '=', revision))
    .orderBy('p.joined_at')
    .orderBy('p.participant_id')
    .limit(limit)
    .execute()
  return rows.map(asPerson)
}

/** Roles without a room are not what somebody plays (R54). */
const asPerson = (row: Row): Person => ({
  participantId: row.participant_id,
  joinedAt: row.joined_at,
  revision: row.revision,
  roomId: row.room_id,
  condition: row.condition,
  role: row.room_id === null && row.stay === 0 ? null : row.role,
  alias: row.alias,
  status: statusOf(row),
  outcome: row.outcome,
  completedAt: row.completed_at,
})

/** R68: when each room of theirs was made, and since when they had waited for it. */
async function roomsOf(db: Sql['db'], person: Row): Promise<PersonRecord['rooms']> {
  const former = await db
    .selectFrom('former_stays as f')
    .innerJoin('rooms as r', 'r.room_id', 'f.room_id')
    .select(['r.created_at as at', 'f.finished_at'])
    .where('f.participant_id', '=', person.participant_id)
    .orderBy('f.stay')
    .execute()
  const made = [...former.map(({ at }) => at), ...(person.room_at === null ? [] : [person.room_at])]
  return made.map((at, index) => ({ at, since: former[index - 1]?.finished_at ?? person.joined_at }))
}

/** The events of a person that a time line shows, up to so many. */
const shownTypes = [
  ...['consent_given', 'consent_declined', 'state_transition', 'component_response', 'chat_message'],
  ...['dropped', 'stage_finished', 'finished', 'left', 'removed'],
]

export async function findPerson(
  { db }: Sql,
  experimentId: string,
  participantId: string,
  maxEvents: number,
): Promise<PersonRecord | undefined> {
  const row = await people(db, experimentId).where('p.participant_id', '=', participantId).executeTakeFirst()
  if (!row) return undefined
  const streams = await db
    .selectFrom('event_streams as t')
    .innerJoin('sessions as s', 's.session_id', 't.session_id')
    .select(['t.stream_no', 't.last_seq'])
    .where('s.participant_id', '=', participantId)
    .execute()
  const events =
    streams.length === 0
      ? []
      : await db
          .selectFrom('events')
          .select(['type', 'state_id as stateId', 'component_id as componentId', 'received_at as at', 'data'])
          .select(['round', 'visit', 'room_seq as roomSeq', 'flags'])
          .where(
            'stream_no',
            'in',
            streams.map(({ stream_no }) => stream_no),
          )
          .where('type', 'in', shownTypes)
          .orderBy('received_at')
          .orderBy('stream_no')
          .orderBy('seq')
          .limit(maxEvents)
          .execute()
  return {
    person: asPerson(row),
    rooms: await roomsOf(db, row),
    eventCount: streams.reduce((sum, { last_seq }) => sum + last_seq, 0),
    events,
  }
}

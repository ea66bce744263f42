import { sql } from 'kysely'
import type { Funnel, StateVisit } from '../../../modules/experiments/experiments.store.ts'
import type { Sql } from '../tables.ts'

export async function readFunnel({ db }: Sql, experimentId: string): Promise<Funnel> {
  return await db
    .selectFrom('participants')
    .select([
      sql<number>`count(case when consent_required = 0 or consented_at is not null then 1 end)`.as(
        'consented',
      ),
      sql<number>`count(case when room_id is not null or stay > 0 then 1 end)`.as('placed'),
    ])
    .where('experiment_id', '=', experimentId)
    .executeTakeFirstOrThrow()
}

const maxPeople = 100
const maxVisits = 5_000

/** Of the newest people only, by their index, so that it costs the same however many there were before them. */
export async function readVisits({ db }: Sql, experimentId: string): Promise<StateVisit[]> {
  const { rows } = await sql<{ stateId: string; ms: number }>`
    select state_id as "stateId", left_at - entered_at as ms from (
      select e.type, e.state_id, e.received_at as entered_at,
        lead(e.received_at) over (partition by e.stream_no order by e.seq) as left_at
      from (
        select participant_id from participants
        where experiment_id = ${experimentId} and (room_id is not null or stay > 0)
        order by joined_at desc, participant_id desc limit ${sql.lit(maxPeople)}
      ) as p
      join sessions s on s.participant_id = p.participant_id
      join event_streams t on t.session_id = s.session_id
      join events e on e.stream_no = t.stream_no
      where e.room_seq is not null and e.type in ('state_transition', 'stage_finished', 'finished')
    ) as steps
    where type = 'state_transition' and state_id is not null and left_at is not null
    limit ${sql.lit(maxVisits)}`.execute(db)
  return rows
}

import { type DropReason, outcomeNames, success } from '@atrium/contract'
import { sql } from 'kysely'
import type { DeletedPeople, FlowGroup } from '../../../modules/experiments/experiments.store.ts'
import { conditionOfPerson } from '../rooms/stays.sql.ts'
import type { Sql } from '../tables.ts'

interface GroupRow extends Omit<FlowGroup, 'hasRoom'> {
  hasRoom: number
}

/**
 * R92: everybody, in as many groups as differ. Clients name outcomes as they like, so those that are not the platform's are
 * one group. The newest session matters only for people without an outcome.
 */
export async function readFlow(
  { db }: Sql,
  experimentId: string,
): Promise<{ groups: FlowGroup[]; deleted: DeletedPeople[] }> {
  const { rows } = await sql<GroupRow>`
    select condition, outcome, drop_reason as "dropReason", has_room as "hasRoom", consent, status,
      count(*) as people
    from (
      select ${conditionOfPerson} as condition, p.drop_reason,
        case when p.outcome is null or p.outcome in (${sql.join(outcomeNames)}) then p.outcome
          else ${sql.lit(success)} end as outcome,
        case when p.room_id is null and p.stay = 0 then 0 else 1 end as has_room,
        case when p.consented_at is not null then 'given' when p.consent_required = 1 then 'asked' else 'none' end as consent,
        case when p.outcome is null then (
          select s.status from sessions s where s.participant_id = p.participant_id
          order by s.created_at desc, s.session_id desc limit 1
        ) end as status
      from participants p left join rooms r on r.room_id = p.room_id
        left join assignments a on a.participant_id = p.participant_id
      where p.experiment_id = ${experimentId}
    ) as everyone
    group by condition, outcome, drop_reason, has_room, consent, status`.execute(db)
  const deleted = await db
    .selectFrom('deleted_people')
    .select(['condition', 'people'])
    .where('experiment_id', '=', experimentId)
    .execute()
  return {
    groups: rows.map((row) => ({
      ...row,
      dropReason: row.dropReason as DropReason | null,
      hasRoom: row.hasRoom === 1,
      people: Number(row.people),
    })),
    deleted: deleted.map(({ condition, people }) => ({
      condition: condition === '' ? null : condition,
      people: Number(people),
    })),
  }
}

import { sql } from 'kysely'
import type { PersonRef } from '../../../modules/privacy/privacy.store.ts'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { Sql } from '../tables.ts'

const peoplePerStep = 200
const dayMs = 86_400_000

/** Somebody who never completed has ended when their last session did. Held identities have a shorter time of their own. */
const due = (now: number) => sql`
  from experiment_revisions r
  join participants p on p.experiment_id = r.experiment_id and p.revision = r.revision
  join participant_identities i on i.participant_id = p.participant_id
  where r.identity_days is not null
    and i.issuer not in (${heldIssuer}, ${declinedIssuer})
    and coalesce(
      p.completed_at,
      (select max(coalesce(s.ended_at, s.expires_at)) from sessions s where s.participant_id = p.participant_id)
    ) < ${now} - cast(r.identity_days as bigint) * ${dayMs}`

export async function identitiesDue({ db }: Sql, now: number): Promise<PersonRef[]> {
  const { rows } = await sql<PersonRef>`
    select p.experiment_id as "experimentId", p.participant_id as "participantId" ${due(now)}
    order by p.participant_id
    limit ${peoplePerStep}`.execute(db)
  return rows
}

/** Of somebody whose participation is locked. */
export async function isIdentityDue({ db }: Sql, participantId: string, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 ${due(now)} and p.participant_id = ${participantId}`.execute(db)
  return rows.length > 0
}

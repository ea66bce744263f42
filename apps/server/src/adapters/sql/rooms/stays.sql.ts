import { type RawBuilder, sql } from 'kysely'

/** R68: who is in which room, or was: a participant has a room in each stage that they have come to. */
export const stays = sql<{
  participant_id: string
  stay: number
  stage: string | null
  room_id: string
  role: string
  alias: string | null
}>`(select participant_id, stay, stage, room_id, role, alias from participants where room_id is not null
  union all select participant_id, stay, stage, room_id, role, alias from former_stays)`

/**
 * What somebody is assigned: they themselves, or the last of their rooms that has a condition. Of participants `p`, their room `r`
 * and their assignment `a`.
 */
export const conditionOfPerson: RawBuilder<string | null> = sql`coalesce(a.condition, r.condition, (
  select fr.condition from former_stays f join rooms fr on fr.room_id = f.room_id
  where f.participant_id = p.participant_id and fr.condition is not null order by f.stay desc limit 1))`

import { sql } from 'kysely'

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

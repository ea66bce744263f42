import { sql } from 'kysely'
import { hideSessionIds } from '../../../kernel/ids.ts'
import type { SentAnswer } from '../../../modules/exports/exports.store.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'

interface Row {
  participant_id: string
  state_id: string
  /** Null where the room entered the state. */
  component_id: string | null
  visit: number | null
}

/** An answer belongs to the newest visit to its state that had begun when it arrived. */
export async function listSentAnswers(
  { engine, db }: Sql,
  participantIds: readonly string[],
): Promise<SentAnswer[]> {
  if (participantIds.length === 0) return []
  const { rows } = await sql<Row>`
    select s.participant_id, e.state_id, e.visit,
      case when e.type = 'component_response' then e.component_id end as component_id
    from ${namedIds(engine, participantIds)}
    join sessions s on s.participant_id = named.id
    join event_streams t on t.session_id = s.session_id
    join events e on e.stream_no = t.stream_no
    where e.state_id is not null and (
      (e.type = 'component_response' and e.room_seq is null and e.component_id is not null)
      or (e.type = 'state_transition' and e.room_seq is not null))
    order by e.received_at, e.seq`.execute(db)
  const visits = new Map<string, number>()
  return rows.flatMap(({ participant_id: participantId, state_id, component_id, visit }) => {
    const key = JSON.stringify([participantId, state_id])
    if (visit !== null) visits.set(key, visit)
    const current = visits.get(key)
    if (component_id === null || current === undefined) return []
    const [stateId, componentId] = [hideSessionIds(state_id), hideSessionIds(component_id)]
    return [{ participantId, stateId, componentId, visit: current }]
  })
}

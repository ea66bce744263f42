import { sql } from 'kysely'
import type { RoomAppend } from '../../../modules/rooms/rooms.store.ts'
import type { CountedStreamRow } from '../figures/deltas.sql.ts'
import { inserterOf, overRows } from '../row-set.ts'
import type { Sql } from '../tables.ts'

const participantColumns = {
  participant_id: 'text',
  session_id: 'text',
  experiment_id: 'text',
  room_id: 'text',
  agent_id: 'text',
  role: 'text',
  alias: 'text',
  seated_at: 'bigint',
} as const

const callColumns = {
  call_id: 'text',
  experiment_id: 'text',
  room_id: 'text',
  participant_id: 'text',
  agent_id: 'text',
  credential_id: 'text',
  turn_id: 'text',
  cause: 'text',
  attempt: 'integer',
  outcome: 'text',
  asked_at: 'bigint',
  latency_ms: 'integer',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  money: 'double precision',
  prompt_hash: 'text',
  request: 'text',
  reply: 'text',
  error: 'text',
  state_id: 'text',
  round: 'integer',
  model: 'text',
  served_model: 'text',
  sampling: 'text',
  cost_is_estimated: 'integer',
} as const

export interface AgentStreamRow extends CountedStreamRow {
  participant_id: string
  stream_no: number
}

/**
 * Agents have no session. Each has a stream under a name that no session can have, so that what it does is recorded like
 * what people do, and is found by no query about people.
 */
const streamNameOf = (participantId: string): string => `agent:${participantId}`

/**
 * Seats agents and stores their calls, in the transaction of the room's action. Most actions have neither. Only the room
 * writes here, so that the lock on the room is the lock on all of this.
 */
export function createAgentWriter(engine: Sql['engine']) {
  const seat = overRows(
    engine,
    'fresh',
    participantColumns,
    (fresh) => sql`
      insert into agent_participants select ${columnsOf(participantColumns)} from ${fresh} where true
      on conflict do nothing`,
  )
  const openStreams = overRows(
    engine,
    'fresh',
    participantColumns,
    (fresh) => sql`
      insert into event_streams (session_id, last_seq, sealed, experiment_id, kind)
      select fresh.session_id, 0, 0, fresh.experiment_id,
        case when rooms.pilot_id is null then 'agents' else 'pilots' end
      from ${fresh} join rooms on rooms.room_id = fresh.room_id where true on conflict do nothing`,
  )
  const select = overRows(
    engine,
    'wanted',
    { session_id: 'text', participant_id: 'text' },
    (wanted) => sql<AgentStreamRow>`
      select wanted.participant_id, t.stream_no, t.last_seq, t.counted_seq, t.experiment_id, t.kind from ${wanted}
      join event_streams t on t.session_id = wanted.session_id`,
  )
  const insertCalls = createCallInserter(engine)
  return {
    /** A seat that is there already is left as it is. */
    async seat(db: Sql['db'], appends: readonly RoomAppend[]): Promise<void> {
      const rows = appends.flatMap(({ roomId, at, seated = [] }) =>
        seated.map((one) => ({
          participant_id: one.participantId,
          session_id: streamNameOf(one.participantId),
          experiment_id: one.experimentId,
          room_id: roomId,
          agent_id: one.agentId,
          role: one.role,
          alias: one.alias,
          seated_at: at,
        })),
      )
      if (rows.length === 0) return
      await seat(db, rows)
      await openStreams(db, rows)
    },
    async streamsOf(db: Sql['db'], participantIds: readonly string[]): Promise<AgentStreamRow[]> {
      if (participantIds.length === 0) return []
      return await select(
        db,
        participantIds.map((id) => ({ participant_id: id, session_id: streamNameOf(id) })),
      )
    },
    async writeCalls(db: Sql['db'], appends: readonly RoomAppend[]): Promise<void> {
      const calls = appends.flatMap((append) => append.calls ?? [])
      if (calls.length > 0) await insertCalls(db, calls)
    },
  }
}

export function createCallInserter(engine: Sql['engine']) {
  const insert = inserterOf(engine, 'agent_calls', callColumns)
  return async (db: Sql['db'], calls: readonly NonNullable<RoomAppend['calls']>[number][]): Promise<void> =>
    await insert(
      db,
      calls.map((call) => ({
        call_id: call.callId,
        experiment_id: call.experimentId,
        room_id: call.roomId,
        participant_id: call.participantId,
        agent_id: call.agentId,
        credential_id: call.credentialId,
        turn_id: call.turnId,
        cause: call.cause,
        attempt: call.attempt,
        outcome: call.outcome,
        asked_at: call.askedAt,
        latency_ms: call.latencyMs === null ? null : countOf(call.latencyMs),
        prompt_tokens: call.usage ? countOf(call.usage.promptTokens) : null,
        completion_tokens: call.usage ? countOf(call.usage.completionTokens) : null,
        money: Number.isFinite(call.money) ? call.money : 0,
        prompt_hash: call.promptHash,
        request: storable(call.request),
        reply: storable(call.reply),
        error: storable(call.error),
        state_id: call.stateId,
        round: call.round,
        model: call.model,
        served_model: storable(call.servedModel),
        sampling: call.sampling && JSON.stringify(call.sampling),
        cost_is_estimated: call.costIsEstimated === null ? null : Number(call.costIsEstimated),
      })),
    )
}

const largestCount = 2_147_483_647

/**
 * R40: what a stranger's server counts and writes must not fail in the store, because the room's action is stored with it.
 * PostgreSQL has neither U+0000 nor half of a surrogate pair in its texts.
 */
const countOf = (value: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), largestCount) : 0
const storable = (text: string | null): string | null =>
  text === null ? null : text.toWellFormed().replaceAll('\u0000', '\ufffd')

const columnsOf = (columns: Record<string, string>) =>
  sql.join(Object.keys(columns).map((column) => sql.ref(column)))

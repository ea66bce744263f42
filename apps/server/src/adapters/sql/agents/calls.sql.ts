import type { AgentOutcome, AgentTurnRecord } from '@atrium/contract'
import { sql } from 'kysely'
import { hideSessionIds } from '../../../kernel/ids.ts'
import type { AgentTurnStore, CallPosition, ExportedCalls } from '../../../modules/agents/turns.store.ts'
import type { Sql, Tables } from '../tables.ts'
import { sumCalls } from './call-sums.sql.ts'

/** A request with a long conversation is large. A page stays short all the same, and has one call at least. */
const callsPerPage = 200
const exportedBytes = 262_144
const listedBytes = 1_048_576
/** Approximate size of a call without request and reply. */
const bytesPerCall = 700

export const createAgentTurnStore = (store: Sql): AgentTurnStore => ({
  async exportPage(calls, after) {
    const { db } = store
    const { source, revision = null, askedFrom = null } = calls
    const from = askedFrom === null ? null : sql`c.asked_at >= ${askedFrom}`
    const sized = await sizedCalls(db, {
      of: callsIn(calls),
      beyond: after ? sql`(c.asked_at, c.call_id) > (${after.askedAt}, ${after.callId})` : from,
      direction: sql`asc`,
      limit: callsPerPage,
    })
    // Pilots' are among them: leaving them out in the statement would make a page as expensive as all that it skips.
    const isWanted = (call: SizedCall) =>
      (call.pilotId !== null) === (source === 'pilots') && (revision === null || call.revision === revision)
    const read = fitting(sized, exportedBytes, isWanted)
    const rows = await wholeCalls(db, read.filter(isWanted))
    return {
      lines: hideSessionIds(rows.map(lineOf).join('')),
      events: rows.length,
      next: read.length < sized.length || sized.length === callsPerPage ? positionOf(read.at(-1)) : null,
    }
  },
  async ofRoom({ roomId, before, limit }) {
    const { db } = store
    const sized = await sizedCalls(db, {
      of: sql`c.room_id = ${roomId}`,
      beyond: before && sql`(c.asked_at, c.call_id) < (${before.askedAt}, ${before.callId})`,
      direction: sql`desc`,
      // One more than requested shows whether there is another page.
      limit: limit + 1,
    })
    const read = fitting(sized.slice(0, limit), listedBytes, () => true)
    return { turns: (await wholeCalls(db, read)).map(recordOf), isLast: read.length === sized.length }
  },
  sums: (calls, window) => sumCalls(store, calls, window),
})

/** A room of another experiment has none. */
function callsIn({ experimentId, roomId, askedBefore = null }: ExportedCalls) {
  const before = askedBefore === null ? sql`` : sql`and c.asked_at < ${askedBefore}`
  return roomId === null
    ? sql`c.experiment_id = ${experimentId} ${before}`
    : sql`c.room_id = ${roomId} and c.experiment_id = ${experimentId} ${before}`
}

interface SizedCall extends CallPosition {
  bytes: number
  pilotId: string | null
  revision: number
  condition: string | null
}

interface Walk {
  of: ReturnType<typeof sql>
  beyond: ReturnType<typeof sql> | null
  direction: ReturnType<typeof sql>
  limit: number
}

/** By size alone: neither engine reads a text to know its length. */
async function sizedCalls(db: Sql['db'], { of, beyond, direction, limit }: Walk): Promise<SizedCall[]> {
  const { rows } = await sql<SizedCall>`
    select c.call_id as ${sql.ref('callId')}, c.asked_at as ${sql.ref('askedAt')},
      coalesce(octet_length(c.request), 0) + coalesce(octet_length(c.reply), 0)
        + ${sql.lit(bytesPerCall)} as bytes,
      r.pilot_id as ${sql.ref('pilotId')}, r.revision, r.condition
    from agent_calls c join rooms r on r.room_id = c.room_id
    where ${of} ${beyond ? sql`and ${beyond}` : sql``}
    order by c.asked_at ${direction}, c.call_id ${direction} limit ${limit}`.execute(db)
  return rows
}

/** The first of them that fit together, those that are not wanted for nothing. */
function fitting(
  calls: readonly SizedCall[],
  max: number,
  isWanted: (call: SizedCall) => boolean,
): SizedCall[] {
  let bytes = 0
  const end = calls.findIndex((call) => {
    if (!isWanted(call)) return false
    const isFirst = bytes === 0
    bytes += call.bytes
    return !isFirst && bytes > max
  })
  return end < 0 ? [...calls] : calls.slice(0, end)
}

type CallRow = Tables['agent_calls'] & Pick<SizedCall, 'pilotId' | 'revision' | 'condition'>

/** In the same order. */
async function wholeCalls(db: Sql['db'], calls: readonly SizedCall[]): Promise<CallRow[]> {
  if (calls.length === 0) return []
  const rows = await db
    .selectFrom('agent_calls')
    .selectAll()
    .where(
      'call_id',
      'in',
      calls.map(({ callId }) => callId),
    )
    .execute()
  const known = new Map(rows.map((row) => [row.call_id, row]))
  return calls.flatMap(({ callId, pilotId, revision, condition }) => {
    const row = known.get(callId)
    return row ? [{ ...row, pilotId, revision, condition }] : []
  })
}

const positionOf = (call: SizedCall | undefined): CallPosition | null =>
  call ? { askedAt: call.askedAt, callId: call.callId } : null

const fieldsOf = (row: CallRow): Omit<AgentTurnRecord, 'request' | 'reply'> => ({
  callId: row.call_id,
  roomId: row.room_id,
  revision: row.revision,
  condition: row.condition,
  participantId: row.participant_id,
  agentId: row.agent_id,
  turnId: row.turn_id,
  cause: row.cause,
  stateId: row.state_id,
  round: row.round,
  attempt: row.attempt,
  outcome: row.outcome as AgentOutcome,
  askedAt: row.asked_at,
  latencyMs: row.latency_ms,
  usage:
    row.prompt_tokens === null || row.completion_tokens === null
      ? null
      : { promptTokens: row.prompt_tokens, completionTokens: row.completion_tokens },
  money: row.money,
  costIsEstimated: row.cost_is_estimated === null ? null : row.cost_is_estimated === 1,
  credentialId: row.credential_id,
  model: row.model,
  sampling: row.sampling === null ? null : JSON.parse(row.sampling),
  servedModel: row.served_model,
  promptHash: row.prompt_hash,
  error: row.error,
  ...(row.pilotId === null ? {} : { synthetic: true as const }),
})

const recordOf = (row: CallRow): AgentTurnRecord => ({
  ...fieldsOf(row),
  request: row.request === null ? null : JSON.parse(row.request),
  reply: row.reply === null ? null : JSON.parse(row.reply),
})

/** Request and reply are JSON already and go into the line as stored. */
const lineOf = (row: CallRow): string =>
  `${JSON.stringify(fieldsOf(row)).slice(0, -1)},"request":${row.request ?? 'null'},"reply":${row.reply ?? 'null'}}\n`

import { maxCallsCounted } from '@atrium/contract'
import { type RawBuilder, sql } from 'kysely'
import type {
  CallCount,
  CallError,
  CallLatency,
  CallSums,
  CountedCalls,
} from '../../../modules/agents/turns.store.ts'
import type { ActivityWindow } from '../../../modules/experiments/index.ts'
import type { Sql } from '../tables.ts'

/** Nobody reads more of it in a list. */
const maxErrorCharacters = 1_000
/** Of so many agents the newest error is looked up. */
const maxAgentsWithErrors = 200

/**
 * Sums up calls from an index that holds everything needed: the calls themselves, which are large, are not read. The
 * three statements may see different calls when some are made in between; each is right for itself.
 */
export async function sumCalls({ db }: Sql, calls: CountedCalls, window: ActivityWindow): Promise<CallSums> {
  const newest = newestCalls(calls, window)
  const { rows: counts } = await sql<CallCount>`
    with newest as (${newest})
    select ${agentId}, bucket, outcome, count(*) as calls,
      coalesce(sum(prompt_tokens), 0) as ${sql.ref('promptTokens')},
      coalesce(sum(completion_tokens), 0) as ${sql.ref('completionTokens')}, sum(money) as money
    from newest group by agent_id, bucket, outcome`.execute(db)
  const overall = await latencies(db, newest, sql`agent_id`, sql`cast(null as integer)`)
  const byBucket = await latencies(db, newest, sql`agent_id, bucket`, sql`bucket`)
  const errors: CallError[] = []
  for (const id of agentsWithErrors(counts)) errors.push(...(await newestError(db, calls, id, window)))
  return { counts, latencies: [...overall, ...byBucket], errors }
}

const agentId = sql`agent_id as ${sql.ref('agentId')}`

/** With a bound value, SQLite divides into fractions; PostgreSQL already has whole numbers. */
const newestCalls = (calls: CountedCalls, { from, to, bucketMs }: ActivityWindow): RawBuilder<unknown> => sql`
  select ${calls.kind === 'credential' ? sql`''` : sql`agent_id`} as agent_id,
    cast((asked_at - ${from}) / ${bucketMs} as integer) as bucket,
    outcome, latency_ms, prompt_tokens, completion_tokens, money
  from agent_calls where ${those(calls)} and asked_at >= ${from} and asked_at < ${to}
  order by asked_at desc limit ${sql.lit(maxCallsCounted)}`

function those(calls: CountedCalls): RawBuilder<unknown> {
  if (calls.kind === 'credential') return sql`credential_id = ${calls.credentialId}`
  const { experimentId, source } = calls
  const pilots = sql`(select room_id from rooms
    where experiment_id = ${experimentId} and pilot_id is not null)`
  return sql`experiment_id = ${experimentId}
    and room_id ${source === 'pilots' ? sql`in` : sql`not in`} ${pilots}`
}

/** The nearest rank: the shortest time within which that share of the calls was answered. */
async function latencies(
  db: Sql['db'],
  newest: RawBuilder<unknown>,
  group: RawBuilder<unknown>,
  bucket: RawBuilder<unknown>,
): Promise<CallLatency[]> {
  const { rows } = await sql<CallLatency>`
    with newest as (${newest}), ranked as (
      select agent_id, bucket, latency_ms,
        row_number() over (partition by ${group} order by latency_ms) as place,
        count(*) over (partition by ${group}) as size
      from newest where latency_ms is not null
    )
    select ${agentId}, ${bucket} as bucket,
      min(case when place * 100 >= size * 50 then latency_ms end) as p50,
      min(case when place * 100 >= size * 95 then latency_ms end) as p95
    from ranked group by ${group}`.execute(db)
  return rows
}

const agentsWithErrors = (counts: readonly CallCount[]): string[] =>
  [...new Set(counts.flatMap((one) => (one.outcome === 'applied' ? [] : [one.agentId])))].slice(
    0,
    maxAgentsWithErrors,
  )

/** From an index of calls with an error, newest first. */
async function newestError(
  db: Sql['db'],
  calls: CountedCalls,
  id: string,
  { from, to }: ActivityWindow,
): Promise<CallError[]> {
  const { rows } = await sql<Omit<CallError, 'agentId'>>`
    select asked_at as at, outcome, substr(error, 1, ${sql.lit(maxErrorCharacters)}) as message
    from agent_calls
    where ${those(calls)} ${calls.kind === 'experiment' ? sql`and agent_id = ${id}` : sql``}
      and error is not null and asked_at >= ${from} and asked_at < ${to}
    order by asked_at desc limit 1`.execute(db)
  return rows.map((row) => ({ agentId: id, ...row }))
}

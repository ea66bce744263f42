import { join } from 'node:path'
import { createApi, createResearcher, type Server, startServer, waitUntil } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Engine } from '../harness/engines.ts'

/** Fewer where there would otherwise be too few people for a page of the console. */
const maxEventsPerPerson = 100
const fewestPeople = 100
const spreadMs = 3_600_000

export interface LargeStudy {
  server: Server
  experimentId: string
  token: string
}

/**
 * A server whose one experiment has this many events of the past hour, put directly into its database. Another version of
 * the server, from its checkout, may not know figures.
 */
export async function startLargeStudy(
  engine: Engine,
  events: number,
  checkout?: string,
): Promise<LargeStudy> {
  const entry = checkout && { entry: join(checkout, 'apps', 'server', 'src', 'entry', 'serve.ts') }
  const server = await startServer({ env: await engine.freshEnv(), ...entry })
  const { openExperiment, token } = await createResearcher(createApi(server.http))
  const experimentId = await openExperiment()
  await server.end()
  const database = await openRaw(server)
  try {
    const statements = [
      ...filling(experimentId, events, Date.now() - spreadMs),
      checkout === undefined ? counting(experimentId) : passingOver,
      'analyze',
    ]
    for (const statement of statements) await database.run(statement)
    await server.restart()
    if (checkout === undefined)
      await waitUntil(async () => (await database.countUncounted()) === 0 || 'not counted yet', {
        timeoutMs: 600_000,
      })
    await database.tidy()
    return { server, experimentId, token }
  } finally {
    await database.close()
  }
}

interface RawDatabase {
  run(statement: string): Promise<void>
  countUncounted(): Promise<number>
  /** What PostgreSQL does by itself within a minute: removes rows that are gone. */
  tidy(): Promise<void>
  close(): Promise<void>
}

const uncounted = `select (select count(*) from figure_deltas) + (select count(*) from uncounted_streams) as count`

async function openRaw({ env, dataDir }: Server): Promise<RawDatabase> {
  if (env.DATABASE_URL === undefined) {
    const database = new Sqlite(join(dataDir, 'atrium.db'))
    database.pragma('synchronous = off')
    return {
      run: async (statement) => void database.exec(statement),
      countUncounted: async () => database.prepare<[], { count: number }>(uncounted).get()?.count ?? 0,
      tidy: async () => undefined,
      close: async () => void database.close(),
    }
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  return {
    run: async (statement) => void (await client.query(statement)),
    countUncounted: async () => Number((await client.query(uncounted)).rows[0]?.count),
    tidy: async () => void (await client.query('vacuum')),
    close: () => client.end(),
  }
}

const ours = `session_id like 'sess_filled_%'`

/** Both engines understand these. What triggers watch is updated, not inserted. */
function filling(experimentId: string, events: number, from: number): string[] {
  const people = Math.max(fewestPeople, Math.ceil(events / maxEventsPerPerson))
  const eventsPerPerson = Math.ceil(events / people)
  const numbers = (most: number) =>
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`
  const joinedAt = `(${from} + i * (${spreadMs - 10 * eventsPerPerson} / ${people}))`
  return [
    `${numbers(people)} insert into participants
      (participant_id, experiment_id, revision, role, joined_at, completed_at, outcome)
      select 'part_filled_' || i, '${experimentId}', 1, 'participant', ${joinedAt}, ${joinedAt} + 1000, 'SUCCESS' from n`,
    `${numbers(people)} insert into sessions
      (session_id, participant_id, status, created_at, last_activity_at, expires_at, ended_at)
      select 'sess_filled_' || i, 'part_filled_' || i, 'active', ${joinedAt}, ${joinedAt}, ${joinedAt} + 86400000,
        ${joinedAt} + 1000 from n`,
    `update sessions set status = 'completed' where ${ours}`,
    `insert into session_origins (session_id, ip_address, user_agent, metadata)
      select session_id, '', '', '{}' from sessions where ${ours}`,
    `insert into event_streams (session_id, last_seq, sealed)
      select session_id, 0, 1 from sessions where ${ours} order by created_at`,
    `${numbers(eventsPerPerson)} insert into events
      (stream_no, seq, type, timestamp, received_at, data, flags)
      select t.stream_no, n.i, 'component_response', s.created_at + 10 * n.i, s.created_at + 10 * n.i,
        '{"value":' || n.i || ',"note":"as long as an answer usually is"}', ''
      from sessions s join event_streams t on t.session_id = s.session_id cross join n
      where s.${ours} order by t.stream_no, n.i`,
  ]
}

const lastSeq = '(select max(seq) from events where events.stream_no = event_streams.stream_no)'

const passingOver = `update event_streams set last_seq = ${lastSeq} where ${ours}`

/** As our own server counts them, so that it has nothing to catch up on while it is measured. */
const counting = (experimentId: string): string => `
  update event_streams set last_seq = ${lastSeq}, counted_seq = ${lastSeq},
    experiment_id = '${experimentId}', kind = 'people' where ${ours};
  insert into figure_deltas (experiment_id, kind, at, count)
    select '${experimentId}', 'events', max(received_at), count(*) from events group by received_at / 1000`
